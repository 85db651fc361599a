// Calls the channels to return the money of rejected payments, and repeats each call until the outcome is known. All
// calls for a return have the same reference, so no money is returned twice. A second worker deletes unsubmitted files.
import type { Logger } from 'pino'
import { type ClaimJob, startClaimLoop } from '../../platform/concurrency/claim-loop.ts'
import { type Interval, type Repetition, repeat } from '../../platform/concurrency/repeat.ts'
import type { Channels } from '../../rails/routing/routing.ts'
import { CALL_GRACE_MS } from '../orders/call-lease.ts'
import { callReturn } from './ask-return.ts'
import { type ReportReturnDeps, reportReturn } from './record-return.ts'
import type { Review } from './review.ts'
import { claimReturns, deleteLooseFiles } from './sql.ts'

export type ReviewWorkerDeps = ReportReturnDeps & {
  readonly channels: Pick<Channels, 'named' | 'longestTimeoutMs'>
  readonly log: Logger
}

type CleaningDeps = Pick<ReviewWorkerDeps, 'db' | 'clock' | 'log'>

const CLEAN_LIMIT = 50
const LOOSE_FILE_DAYS = 7
const DAY_MS = 86_400_000

export function startReturns(deps: ReviewWorkerDeps & Interval): Repetition {
  return startClaimLoop(returnJob(deps), { clock: deps.clock, everyMs: deps.everyMs })
}

export function startFileCleaning(deps: CleaningDeps & Interval): Repetition {
  return repeat({
    everyMs: deps.everyMs,
    work: () => cleanFiles(deps),
    failed: (error) => deps.log.error({ err: error }, 'files that nobody submitted could not be deleted'),
  })
}

/**
 * Returns the job that claims the returns of all channels. All channels share one limit of concurrent calls. A shared
 * limit is enough, because operators reject payments one by one.
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

/** Deletes old files that were never submitted, and returns their number. */
export async function cleanFiles({ db, clock }: Omit<CleaningDeps, 'log'>): Promise<number> {
  const before = new Date(clock.now().getTime() - LOOSE_FILE_DAYS * DAY_MS)
  let deleted = 0
  for (let more = CLEAN_LIMIT; more === CLEAN_LIMIT; deleted += more)
    more = await deleteLooseFiles(db, before, CLEAN_LIMIT)
  return deleted
}
