// Calls the channel to return the money of a rejected payment, and records outcomes that channels report by callback.
// All calls for a return have the same reference, so a repeated call also queries the outcome of the return.
import type { Logger } from 'pino'
import type { Clock } from '../../platform/base/clock.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { RefundOutcome, RefundRequest } from '../../rails/contract/channel.ts'
import type { Channels } from '../../rails/routing/routing.ts'
import { isRenewed, orUnknown } from '../orders/call-lease.ts'
import { attemptReference } from '../orders/order.ts'
import { type ReportReturnDeps, reportReturn } from './record-return.ts'
import { type ReturnKey, type Review, returnKeyOf, returnReference } from './review.ts'
import { findReviewedPayment, type ReviewedPayment } from './review-orders.ts'
import { renewLease, selectReview } from './sql.ts'

type ReceiveReturnDeps = ReportReturnDeps & { readonly log: Logger }

/**
 * Records an outcome by `reportReturn`, as the worker does. `asks` is the review's number of claims when the channel
 * was called. Undefined if the channel sent the report on its own.
 */
export async function receiveReturn(
  deps: ReceiveReturnDeps,
  channel: string,
  reference: string,
  outcome: RefundOutcome,
  asks?: number,
): Promise<void> {
  const key = await findOwn(deps.db, channel, reference)
  if (key === undefined) {
    deps.alarm(reference, `channel ${channel} reported a return that it does not have: ${outcome.kind}`)
    return
  }
  // A report without a final outcome changes nothing, and must not change the time of the worker's next call.
  if (outcome.kind === 'pending' || outcome.kind === 'unknown') return
  const { tradeNo } = key
  const claim = outcome.kind === 'failed' && asks !== undefined ? { asks } : {}
  const state = await reportReturn(deps, { ...key, outcome, ...claim })
  deps.log.info({ tradeNo, reference, channel, outcome: outcome.kind, state }, 'return callback recorded')
}

/**
 * Asks the channel about a return, records the outcome and returns its kind. A query repeats the call that starts the
 * return. Therefore the channel is asked only about the latest return, and only if that return was sent and not given
 * up. For any other return the result is undefined. The result is `unknown` if another worker claims or decides the
 * return first.
 */
export async function askReturn(
  deps: ReceiveReturnDeps & CallReturnDeps,
  channel: string,
  reference: string,
): Promise<RefundOutcome['kind'] | undefined> {
  const key = await findOwn(deps.db, channel, reference)
  const review = key && (await selectReview(deps.db, key))
  const isSent = review?.state === 'returning' || review?.state === 'rejected'
  if (!isSent || review.returns !== key?.returns) return undefined
  const outcome = await callReturn(deps, review)
  if (outcome === undefined) return 'unknown'
  await receiveReturn(deps, channel, reference, outcome, review.asks)
  return outcome.kind
}

/** Returns the key of the return with this reference, if this channel has such a return. */
async function findOwn(db: Queryable, channel: string, reference: string): Promise<ReturnKey | undefined> {
  const key = returnKeyOf(reference)
  const payment = key && (await findReviewedPayment(db, key))
  return payment?.channel === channel ? key : undefined
}

type CallReturnDeps = {
  readonly db: Queryable
  readonly clock: Clock
  readonly channels: Pick<Channels, 'named'>
}

/**
 * Calls the channel for the review's latest return and returns the outcome. If the return was claimed or decided since
 * the caller read the review, the function makes no call and returns undefined.
 */
export async function callReturn(
  { db, clock, channels }: CallReturnDeps,
  review: Review,
): Promise<RefundOutcome | undefined> {
  const payment = await findReviewedPayment(db, review)
  assert(payment !== undefined, 'a rejected order was paid')
  const channel = channels.named(payment.channel, payment.method)
  if (channel === undefined) return { kind: 'unknown', why: 'the channel is not set up' }
  if (!(await isRenewed(clock, channel.traits, (until) => renewLease(db, review, until)))) return undefined
  return orUnknown('channel', () => channel.refund(toRequest(review, payment)))
}

function toRequest(
  { tradeNo, returns }: Review,
  { money, attemptNo, channelRef }: ReviewedPayment,
): RefundRequest {
  return {
    reference: attemptReference(tradeNo, attemptNo),
    ...(channelRef !== undefined && { channelRef }),
    money,
    refundReference: returnReference(tradeNo, returns),
    refund: money,
  }
}
