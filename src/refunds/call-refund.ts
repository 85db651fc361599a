// Calls the channel of a refund. Each call has the same reference, so calling again is also how to ask about a refund.
import type { Clock } from '../base/clock.ts'
import { whyOf } from '../base/why.ts'
import type { RefundOutcome, RefundRequest } from '../channels/contract.ts'
import type { Channels } from '../channels/routing.ts'
import { isRenewed } from '../orders/ask-again.ts'
import { findAttempt } from '../orders/open-attempts.ts'
import { attemptReference } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'
import { type Refund, refundReference } from './refund.ts'
import { renewLease } from './sql.ts'

export type CallRefundDeps = {
  readonly db: Queryable
  readonly clock: Clock
  readonly channels: Pick<Channels, 'named'>
}

/** Undefined if somebody else has claimed or decided it meanwhile: then it is not called, as money may have been given back. */
export async function callRefund(
  { db, clock, channels }: CallRefundDeps,
  refund: Refund,
): Promise<RefundOutcome | undefined> {
  const { merNo, tradeNo, payment } = refund
  const attempt = await findAttempt(db, { merNo, tradeNo, attemptNo: payment.attemptNo })
  const channel = channels.named(payment.channel, attempt?.method)
  if (channel === undefined) return { kind: 'unknown', why: 'the channel is not set up' }
  if (!(await isRenewed(clock, channel.traits, (until) => renewLease(db, refund, until)))) return undefined
  try {
    return await channel.refund(toRequest(refund))
  } catch (error) {
    // A channel must not throw. If it does, the outcome is not known.
    return { kind: 'unknown', why: `the channel's code failed: ${whyOf(error)}` }
  }
}

function toRequest({ refundNo, tradeNo, money, payment }: Refund): RefundRequest {
  return {
    reference: attemptReference(tradeNo, payment.attemptNo),
    ...(payment.channelRef !== undefined && { channelRef: payment.channelRef }),
    money: { amount: payment.amount, currency: money.currency },
    refundReference: refundReference(refundNo),
    refund: money,
  }
}
