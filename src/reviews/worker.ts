// Has the channels return the money of rejected payments, and asks again until it is known: both is the same call with the
// same reference, so a crash or a lost answer needs no other rule. Throws files away that nobody submitted. Any number of
// nodes may run it: a claim skips what another holds, and moves the asking time on by a lease.
//
// Operators reject by hand, a few at a time: a round waits for its slowest call.
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { RefundOutcome, RefundRequest } from '../channels/contract.ts'
import type { Channels } from '../channels/registry.ts'
import { repeat } from '../concurrency/repeat.ts'
import { CALL_GRACE_MS } from '../orders/ask-again.ts'
import { attemptReference } from '../orders/keys.ts'
import type { Db } from '../postgres/db.ts'
import { recordReturn } from './record-return.ts'
import { type Review, returnReference } from './review.ts'
import { findHeldMoney } from './review-orders.ts'
import { claimReturns, deleteLooseFiles } from './sql.ts'

export type ReviewWorkerDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly channels: Pick<Channels, 'named' | 'longestTimeoutMs'>
  readonly log: Logger
  /** Something that people must look at. */
  readonly alarm: (tradeNo: string, what: string) => void
}

const RETURN_MS = 1_000
const CLEAN_MS = 3_600_000
const MOST_AT_ONCE = 50
const LOOSE_FILE_DAYS = 7
const DAY_MS = 86_400_000

export function startReviewWorker(deps: ReviewWorkerDeps): { stop(): Promise<void> } {
  const failed = (error: unknown) => deps.log.error({ err: error }, 'the review worker could not look')
  const returning = repeat({ everyMs: RETURN_MS, work: () => returnDue(deps), failed })
  const cleaning = repeat({ everyMs: CLEAN_MS, work: () => cleanFiles(deps), failed })
  return {
    async stop() {
      await Promise.all([returning.stop(), cleaning.stop()])
    },
  }
}

/** Calls for all that is due; how many. */
export async function returnDue(deps: ReviewWorkerDeps): Promise<number> {
  const now = deps.clock.now()
  const leaseUntil = new Date(now.getTime() + deps.channels.longestTimeoutMs + CALL_GRACE_MS)
  const due = await claimReturns(deps.db, { now, leaseUntil, limit: MOST_AT_ONCE })
  await Promise.all(due.map((review) => callAndRecord(deps, review)))
  return due.length
}

async function callAndRecord(deps: ReviewWorkerDeps, review: Review): Promise<void> {
  const { merNo, tradeNo, returns } = review
  try {
    const outcome = await call(deps, review)
    const report = { merNo, tradeNo, returns, outcome, at: deps.clock.now() }
    const { state, alarm } = await recordReturn(deps.db, report)
    if (alarm !== undefined) deps.alarm(tradeNo, alarm)
    const why = outcome.kind === 'unknown' ? outcome.why : undefined
    deps.log.info({ tradeNo, outcome: outcome.kind, why, state }, 'returned the money of a rejected payment')
  } catch (error) {
    deps.log.error({ err: error, tradeNo }, 'a return could not be recorded; it is called again')
  }
}

async function call({ db, channels }: ReviewWorkerDeps, review: Review): Promise<RefundOutcome> {
  const held = await findHeldMoney(db, review)
  const channel = channels.named(held.channel)
  if (channel === undefined) return { kind: 'unknown', why: 'the channel is not set up' }
  try {
    return await channel.refund(toRequest(review, held))
  } catch (error) {
    // A channel that breaks its promise and throws has told nothing.
    return { kind: 'unknown', why: `the channel's code failed: ${String(error)}` }
  }
}

function toRequest(
  { tradeNo, returns }: Review,
  { money, attemptNo, channelRef }: Awaited<ReturnType<typeof findHeldMoney>>,
): RefundRequest {
  return {
    reference: attemptReference(tradeNo, attemptNo),
    ...(channelRef !== undefined && { channelRef }),
    money,
    refundReference: returnReference(tradeNo, returns),
    refund: money,
  }
}

/** How many went. */
export async function cleanFiles({ db, clock }: Pick<ReviewWorkerDeps, 'db' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - LOOSE_FILE_DAYS * DAY_MS)
  let gone = 0
  for (let more = MOST_AT_ONCE; more === MOST_AT_ONCE; gone += more)
    more = await deleteLooseFiles(db, before, MOST_AT_ONCE)
  return gone
}
