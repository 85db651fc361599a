// Calls the channel of a refund. Each call has the same reference, so calling again is also how to ask about a refund.
import type { RefundOutcome, RefundRequest } from '../channels/contract.ts'
import type { Channels } from '../channels/routing.ts'
import { attemptReference } from '../orders/order.ts'
import { type Refund, refundReference } from './refund.ts'

export async function callRefund(channels: Pick<Channels, 'named'>, refund: Refund): Promise<RefundOutcome> {
  const channel = channels.named(refund.payment.channel)
  if (channel === undefined) return { kind: 'unknown', why: 'the channel is not set up' }
  try {
    return await channel.refund(toRequest(refund))
  } catch (error) {
    // A channel must not throw. If it does, the outcome is not known.
    return { kind: 'unknown', why: `the channel's code failed: ${String(error)}` }
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
