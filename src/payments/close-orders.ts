// Ends orders that nobody is paying: cancelled by the payer, or left alone until their time on our page was over. The same
// transaction writes the history, gives the limits back, counts the day's totals and tells the merchant.
//
// Invariant: an order with an open attempt is never ended here; its channel has the word. Both rows tell under the order's
// lock, which every new attempt takes too. Lock order: orders by (mer_no, trade_no), then usage rows.

import { enqueueNotifications } from '../notifications/enqueue-notifications.ts'
import { addTotals, type Step } from '../orders/daily-totals.ts'
import type { OrderKey } from '../orders/keys.ts'
import { returnUsage } from '../orders/limit-usage.ts'
import { State } from '../orders/order.ts'
import { usagesOf } from '../orders/write-changes.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { type IdleOrder, lockIdleOrders, writeClosed } from './close-sql.ts'

export type Closing = { readonly message: string; readonly at: Date }

/** How many were open, and idle. */
export async function closeOrders(db: Db, keys: readonly OrderKey[], closing: Closing): Promise<number> {
  if (keys.length === 0) return 0
  return db.transaction(async (tx) => {
    const orders = await lockIdleOrders(tx, keys)
    if (orders.length > 0) await close(tx, orders, closing)
    return orders.length
  })
}

async function close(tx: Tx, orders: readonly IdleOrder[], closing: Closing): Promise<void> {
  await Promise.all([
    writeClosed(tx, orders, closing),
    returnUsage(tx, usagesOf(orders)),
    addTotals(
      tx,
      orders.map((order) => toStep(order, closing)),
    ),
    enqueueNotifications(
      tx,
      orders.map((order) => toNotification(order, closing)),
    ),
  ])
}

function toStep(order: IdleOrder, { at }: Closing): Step {
  const { merNo, localDay, money, settleCurrency } = order
  const { currency, amount: sourceAmount } = money
  const cell = { merNo, localDay, state: State.cancelled, currency, settleCurrency, settled: false }
  return { cell, sign: 1n, sourceAmount, settleAmount: 0n, at }
}

function toNotification({ merNo, tradeNo, merOrderNo, notifyUrl }: IdleOrder, { message, at }: Closing) {
  const fields = { tradeNo, merOrderNo, code: '1', message }
  return { merNo, tradeNo, event: 'payment', url: notifyUrl, fields, at } as const
}
