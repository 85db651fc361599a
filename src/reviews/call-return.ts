// Calls the channel of a return. Each call has the same reference, so calling again is also how to ask about a return.
import type { Clock } from '../base/clock.ts'
import { whyOf } from '../base/why.ts'
import type { RefundOutcome, RefundRequest } from '../channels/contract.ts'
import type { Channels } from '../channels/routing.ts'
import { assert } from '../errors/catalogue.ts'
import { isRenewed } from '../orders/ask-again.ts'
import { attemptReference } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'
import { type Review, returnReference } from './review.ts'
import { findReviewedPayment, type ReviewedPayment } from './review-orders.ts'
import { renewLease } from './sql.ts'

export type CallReturnDeps = {
  readonly db: Queryable
  readonly clock: Clock
  readonly channels: Pick<Channels, 'named'>
}

/** The review's latest return. Undefined if somebody else has claimed or decided it meanwhile: then it is not called. */
export async function callReturn(
  { db, clock, channels }: CallReturnDeps,
  review: Review,
): Promise<RefundOutcome | undefined> {
  const payment = await findReviewedPayment(db, review)
  assert(payment !== undefined, 'a rejected order was paid')
  const channel = channels.named(payment.channel, payment.method)
  if (channel === undefined) return { kind: 'unknown', why: 'the channel is not set up' }
  if (!(await isRenewed(clock, channel.traits, (until) => renewLease(db, review, until)))) return undefined
  try {
    return await channel.refund(toRequest(review, payment))
  } catch (error) {
    // A channel must not throw. If it does, the outcome is not known.
    return { kind: 'unknown', why: `the channel's code failed: ${whyOf(error)}` }
  }
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
