// The rules for chargebacks and inquiries. An inquiry moves no money. An order has at most one open chargeback, and no
// further chargeback after a lost one.
import { availableIn, balancesOf } from './accounts.ts'
import type { Chargeback, Model, Order } from './facts.ts'
import { feeHalfUp } from './money.ts'
import { giveBackChargeback, takeChargeback } from './orders.ts'
import { planFor } from './plans.ts'

/** The fee comes from the merchant's plan at the time of the chargeback, not from the order's terms. */
export function chargebackFeeOf({ shop, method, currency }: Order): bigint {
  return feeHalfUp(planFor(shop, method).chargebackFee, currency)
}

/** A chargeback may take up to the paid amount, even if a part was refunded. */
export function mayChargeBack({ money, chargebacks }: Order, amount: bigint): boolean {
  const isFinal = chargebacks.some(({ state }) => state === 'open' || state === 'lost')
  return money !== undefined && !isFinal && amount > 0n && amount <= money.amount
}

export function openChargeback(model: Model, chargeback: Chargeback): void {
  const { order } = chargeback
  const balance = availableIn(balancesOf(model, order.shop), order.settleCurrency)
  order.chargebacks.push(chargeback)
  takeChargeback(order, chargeback, balance)
}

export function openOf({ chargebacks }: Order): Chargeback | undefined {
  return chargebacks.find(({ state }) => state === 'open')
}

/** A chargeback that is won gives its amount back. A chargeback that is lost moves nothing more. */
export function endChargeback(chargeback: Chargeback, outcome: 'won' | 'lost', nowMs: number): void {
  chargeback.state = outcome
  chargeback.endedMs = nowMs
  if (outcome === 'won') giveBackChargeback(chargeback.order, chargeback.amount)
}
