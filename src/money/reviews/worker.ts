// Calls the channels to return the money of rejected payments, and repeats the call until the outcome is known. Each call has
// the same reference, so a crash and a lost response are handled the same way. Deletes files that were not submitted.
import type { Logger } from 'pino'
import type { Channels } from '../channels/routing.ts'
import { type ClaimJob, startClaimLoop } from '../concurrency/claim-loop.ts'
import { type Repetition, repeat } from '../concurrency/repeat.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import { callReturn } from './call-return.ts'
import { type ReportReturnDeps, reportReturn } from './record-return.ts'
import type { Review } from './review.ts'
import { claimReturns, deleteLooseFiles } from './sql.ts'

export type ReviewWorkerDeps = ReportReturnDeps & {
  readonly channels: Pick<Channels, 'named' | 'longestTimeoutMs'>
  readonly log: Logger
}

const RETURN_MS = 1_000
const CLEAN_MS = 3_600_000
const CLEAN_LIMIT = 50
const LOOSE_FILE_DAYS = 7
const DAY_MS = 86_400_000

export function startReviewWorker(deps: ReviewWorkerDeps): Repetition {
  const returning = startClaimLoop(returnJob(deps), { clock: deps.clock, everyMs: RETURN_MS })
  const cleaning = repeat({
    everyMs: CLEAN_MS,
    work: () => cleanFiles(deps),
    failed: (error) => deps.log.error({ err: error }, 'files that nobody submitted could not be deleted'),
  })
  return {
    async stop() {
      await Promise.all([returning.stop(), cleaning.stop()])
    },
  }
}

/**
 * A review does not store its channel, so claims skip no channel and all returns share one limit. That is enough: operators
 * reject payments one by one, and no call waits for another.
 */
export function returnJob(deps: ReviewWorkerDeps): ClaimJob<Review> {
  const { db, channels, log } = deps
  return {
    get leaseMs() {
      return channels.longestTimeoutMs + CALL_GRACE_MS
    },
    claim: (claim) => claimReturns(db, claim),
    channelOf: () => 'returns',
    run: (review) => callAndRecord(deps, review),
    rowFailed: (error, { tradeNo }) =>
      log.error({ err: error, tradeNo }, 'a return could not be recorded; it is called again'),
    claimFailed: (error) => log.error({ err: error }, 'due returns could not be claimed'),
  }
}

async function callAndRecord(deps: ReviewWorkerDeps, review: Review): Promise<void> {
  const { merNo, tradeNo, returns, asks } = review
  const outcome = await callReturn(deps, review)
  if (outcome === undefined) return
  const state = await reportReturn(deps, { merNo, tradeNo, returns, outcome, asks })
  const why = outcome.kind === 'unknown' ? outcome.why : undefined
  deps.log.info({ tradeNo, outcome: outcome.kind, why, state }, 'returned the money of a rejected payment')
}

/** Returns how many files were deleted. */
export async function cleanFiles({ db, clock }: Pick<ReviewWorkerDeps, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - LOOSE_FILE_DAYS * DAY_MS)
  let deleted = 0
  for (let more = CLEAN_LIMIT; more === CLEAN_LIMIT; deleted += more)
    more = await deleteLooseFiles(db, before, CLEAN_LIMIT)
  return deleted
}
