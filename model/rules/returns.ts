// The part of a returned refund or payout that does not belong to the merchant.
import type { Model } from './facts.ts'

type Money = { readonly amount: bigint; readonly currency: string }

/** Holds the excess over the sent sum in suspense, or all money that came back in another currency. */
export function holdReturned(
  model: Model,
  sent: Money & { readonly merNo: number; readonly channel: string },
  arrived: Money,
): void {
  const { merNo, channel } = sent
  const isOwn = arrived.currency === sent.currency
  const amount = isOwn ? arrived.amount - sent.amount : arrived.amount
  if (amount <= 0n) return
  model.suspense.push({
    merNo,
    order: undefined,
    attempt: undefined,
    channel,
    currency: arrived.currency,
    amount,
    why: isOwn ? 'surplus' : 'unmatched',
    state: 'held',
    origin: 'channel',
    line: undefined,
    isAssigned: false,
  })
}
