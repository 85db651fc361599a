// Calls the channel of a refund. Each call has the same reference, so calling again is also how to ask about a refund.
import { whyOf } from '../base/why.ts'
import type { RefundOutcome, RefundRequest } from '../channels/contract.ts'
import type { Channels } from '../channels/routing.ts'
import { findAttempt } from '../orders/open-attempts.ts'
import { attemptReference } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'
import { type Refund, refundReference } from './refund.ts'

export type CallRefundDeps = { readonly db: Queryable; readonly channels: Pick<Channels, 'named'> }

export async function callRefund({ db, channels }: CallRefundDeps, refund: Refund): Promise<RefundOutcome> {
  const { merNo, tradeNo, payment } = refund
  const attempt = await findAttempt(db, { merNo, tradeNo, attemptNo: payment.attemptNo })
  const channel = channels.named(payment.channel, attempt?.method)
  if (channel === undefined) return { kind: 'unknown', why: 'the channel is not set up' }
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
