// The order of a payout: the rows of `orders` that are no pay-in. What only a payout has is kept by the payouts themselves.
//
// Invariant: an order is decided once. It is locked, and the update names the version that was seen. Lock order: orders by
// (mer_no, trade_no), then usage rows.

import type { Money, Rate } from '../base/money.ts'
import { assert } from '../errors/catalogue.ts'
import type { Tx } from '../postgres/db.ts'
import type { NewOrder } from './accept-orders.ts'
import { returnUsage, type Usage, usageKey } from './limit-usage.ts'
import { PAYOUTS } from './limits.ts'
import { mayBecome, State, type StateNumber } from './order.ts'
import type { OrderKey } from './paid-sql.ts'
import { insertOrders, lockOrders, updateOrders } from './payout-sql.ts'

export type NewPayoutOrder = NewOrder & {
  readonly method: string
  readonly money: Money
  readonly returnUrl: string
  readonly notifyUrl: string
  readonly message: string
  readonly localDay: string
  readonly timezone: string
  readonly feeBps: number
  readonly feeFixed: bigint
  /** What it draws on, and the rate from its own currency; undefined where both are the same. */
  readonly settleCurrency: string
  readonly settleRate: Rate | undefined
}

export type PayoutOrder = {
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly money: Money
  readonly state: StateNumber
  readonly version: number
  readonly message: string
  readonly notifyUrl: string
  readonly localDay: string
  readonly usdValue: bigint
  readonly platformLimited: boolean
  readonly feeBps: number
  readonly feeFixed: bigint
}

export type PayoutOrderChange = {
  readonly order: PayoutOrder
  readonly state: StateNumber
  readonly message: string
  /** Percentage and fixed fee, once it succeeded. */
  readonly fees: { readonly handling: bigint; readonly processing: bigint } | undefined
  readonly at: Date
}

/** The trade numbers of those whose order number was free. */
export async function insertPayoutOrders(tx: Tx, orders: readonly NewPayoutOrder[]): Promise<Set<string>> {
  return orders.length === 0 ? new Set() : insertOrders(tx, orders)
}

/** Locks, in key order, those of the orders that are payouts; by trade number. */
export function lockPayoutOrders(tx: Tx, keys: readonly OrderKey[]): Promise<Map<string, PayoutOrder>> {
  return lockOrders(tx, keys)
}

/** The orders are locked by this transaction. What failed is given back to the limits. */
export async function changePayoutOrders(tx: Tx, changes: readonly PayoutOrderChange[]): Promise<void> {
  if (changes.length === 0) return
  for (const { order, state } of changes)
    assert(
      state === order.state || mayBecome(order.state, state),
      `an order may go ${order.state} → ${state}`,
    )
  const written = await updateOrders(tx, changes)
  assert(written === changes.length, 'no locked order changes under us')
  const failed = changes.filter(({ order, state }) => state !== order.state && state !== State.succeeded)
  if (failed.length > 0) await returnUsage(tx, giveBack(failed.map((change) => change.order)))
}

function giveBack(orders: readonly PayoutOrder[]): Usage[] {
  const sums = new Map<string, Usage>()
  for (const { merNo, localDay, usdValue, platformLimited } of orders) {
    for (const owner of platformLimited ? [merNo, 0] : [merNo]) {
      for (const period of [localDay, localDay.slice(0, 7)]) {
        const usage = { merNo: owner, method: PAYOUTS, period }
        const before = sums.get(usageKey(usage))?.used ?? 0n
        sums.set(usageKey(usage), { ...usage, used: before + usdValue })
      }
    }
  }
  return [...sums.values()]
}
