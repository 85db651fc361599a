// Settlement and the release of margins, on calendar days in the merchant's time zone, counted from the day of success.
import { availableIn, balancesOf } from './accounts.ts'
import { startOfLaterDay } from './calendar.ts'
import type { Model, Order, Shop } from './facts.ts'
import { availableWorth, moneyOf, releaseMargin, settle } from './orders.ts'

export function settleDueMs(order: Order): number {
  return startOfLaterDay(moneyOf(order).paidAtMs, order.plan.settleDays, order.shop.timezone)
}

/** Returns infinity if the order has no margin to release. */
export function marginDueMs(order: Order): number {
  const { margin, paidAtMs } = moneyOf(order)
  if (margin === 0n) return Number.POSITIVE_INFINITY
  return startOfLaterDay(paidAtMs, order.plan.marginDays, order.shop.timezone)
}

/**
 * Settles due orders and releases due margins. Returns the number of orders that stay unsettled, because the balance
 * does not cover them.
 */
export function settleDue(model: Model, asOfMs: number): number {
  let waiting = 0
  for (const shop of model.shops) waiting += settleShop(model, shop, asOfMs)
  return waiting
}

/**
 * Repeats while orders stay unsettled and the last pass settled or released something, which may cover the waiting
 * orders.
 */
function settleShop(model: Model, shop: Shop, asOfMs: number): number {
  for (;;) {
    const own = model.orders.filter((order) => order.shop === shop && order.money !== undefined)
    const due = own.filter((order) => order.money?.settled === false && settleDueMs(order) <= asOfMs)
    const waiting = settleCovered(model, shop, due)
    const free = own.filter((order) => order.money?.released === false && marginDueMs(order) <= asOfMs)
    for (const order of free) releaseMargin(order)
    if (waiting === 0 || due.length - waiting + free.length === 0) return waiting
  }
}

/**
 * Settles orders that add to the available balance first. Then settles the orders that take from it if the balance
 * covers them, by due time and then by trade number. Returns the number of orders that stay unsettled.
 */
function settleCovered(model: Model, shop: Shop, due: readonly Order[]): number {
  const taking = due.filter((order) => gainOf(order) < 0n)
  for (const order of due) if (!taking.includes(order)) settle(order)
  let waiting = 0
  for (const order of taking.toSorted(byDue)) {
    const balance = availableIn(balancesOf(model, shop), order.settleCurrency)
    if (balance + gainOf(order) >= 0n) settle(order)
    else waiting++
  }
  return waiting
}

/** The amount that settlement adds to the available balance, in the settlement currency. */
function gainOf(order: Order): bigint {
  const money = moneyOf(order)
  const settled = { ...order, money: { ...money, available: money.available + money.unsettled } }
  return availableWorth(settled) - availableWorth(order)
}

function byDue(one: Order, other: Order): number {
  return settleDueMs(one) - settleDueMs(other) || (one.tradeNo < other.tradeNo ? -1 : 1)
}
