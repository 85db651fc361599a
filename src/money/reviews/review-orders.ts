// Changes orders in review. The money stays in the review account until the order succeeds or the payer is paid back.

import type { Money } from '../../platform/base/money.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { isMethod, type Method, methods } from '../../rails/methods/methods.ts'
import { wantReviewNotifications } from '../merchants/list-merchants.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import type { PlannedChange } from '../orders/change.ts'
import { chargesNow } from '../orders/fees.ts'
import { lockOrder } from '../orders/lock-orders.ts'
import {
  type AttemptedOrder,
  isAttempted,
  isInReview,
  type OrderKey,
  State,
  type StateNumber,
} from '../orders/order.ts'
import { changeOrders } from '../orders/write-changes.ts'
import { findReceivedFields } from '../payments/deposits/store-deposits.ts'
import type { Rates } from '../rates/rates.ts'

/**
 * A locked payment. `order` is set only if the payment is in review, and includes the attempt that brought the money.
 */
export type LockedForReview = { readonly state: StateNumber; readonly order: AttemptedOrder | undefined }

/** Locks a payment. Undefined if the merchant has no such payment. */
export async function lockReviewed(
  tx: Tx,
  { merNo, tradeNo }: OrderKey,
): Promise<LockedForReview | undefined> {
  const order = await lockOrder(tx, { merNo, tradeNo })
  if (order?.kind !== 'payment') return undefined
  return { state: order.state, order: isInReview(order.state) && isAttempted(order) ? order : undefined }
}

/** Locks a payment in any state, and returns the payment with the attempt that brought its money. */
export async function lockReturned(
  tx: Tx,
  { merNo, tradeNo }: OrderKey,
): Promise<AttemptedOrder | undefined> {
  const order = await lockOrder(tx, { merNo, tradeNo })
  return order?.kind === 'payment' && isAttempted(order) ? order : undefined
}

/** The money in review, the attempt that brought the money, and the channel's reference of that attempt. */
export type ReviewedPayment = {
  readonly money: Money
  readonly method: Method | undefined
  readonly channel: string
  readonly attemptNo: number
  readonly channelRef: string | undefined
}

/** Returns the reviewed payment of the order. Undefined for an unpaid order. */
export async function findReviewedPayment(
  db: Queryable,
  { merNo, tradeNo }: OrderKey,
): Promise<ReviewedPayment | undefined> {
  const payment = await findPayment(db, { merNo, tradeNo })
  if (payment?.attempt?.state !== 'succeeded') return undefined
  const { no: attemptNo, channel, channelRef } = payment.attempt
  return { money: payment.money, method: payment.method, channel, attemptNo, channelRef }
}

export type Picked = 'picked' | 'unknown' | 'reviewed anyway' | 'not processing' | 'not reviewable'

/** Picks the order for review, so that it waits for a review once its money has arrived. */
export async function pickForReview(tx: Tx, key: OrderKey, at: Date): Promise<Picked> {
  const order = await lockOrder(tx, key)
  if (order?.kind !== 'payment') return 'unknown'
  if (order.needsReview) return 'reviewed anyway'
  if (order.state !== State.processing) return 'not processing'
  if (!isReviewable(order.method)) return 'not reviewable'
  await changeOrders(tx, [{ order, at, state: order.state, needsReview: true }])
  return 'picked'
}

function isReviewable(method: string): boolean {
  return isMethod(method) && methods[method].reviewAbove !== undefined
}

/** Moves the order from state 24 to 25, because the merchant sent information. */
export async function markSubmitted(tx: Tx, order: AttemptedOrder, at: Date): Promise<void> {
  const message = 'Information received, in review'
  await changeOrders(tx, [{ order, at, state: State.inReview, message }])
}

/** Moves the order to state 24, because the information is not enough. The merchant reads the note. */
export async function askMore(tx: Tx, order: AttemptedOrder, note: string, at: Date): Promise<void> {
  const message = `More information is needed: ${note}`
  const wants = await wantReviewNotifications(tx, [order.merNo])
  const notifiesReview = wants.has(order.merNo)
  await change(tx, { order, at, state: State.informationAsked, message, notifiesReview })
}

export async function approveReviewed(
  tx: Tx,
  rates: Pick<Rates, 'find'>,
  order: AttemptedOrder,
  at: Date,
): Promise<void> {
  const charges = chargesNow(order.money, order.terms, rates)
  const message = 'Payment succeeded'
  await change(tx, { order, at, state: State.succeeded, message, charges, needsReview: false })
}

/** Moves the order to failed, because the payer has the money back. The merchant reads the note. */
export async function rejectReviewed(tx: Tx, order: AttemptedOrder, note: string, at: Date): Promise<void> {
  const message = `Rejected in review: ${note}`
  await change(tx, { order, at, state: State.failed, message, needsReview: false })
}

/** Changes the order. The notification contains the fields about the money that arrived. */
async function change(tx: Tx, planned: PlannedChange): Promise<void> {
  await changeOrders(tx, [{ ...planned, receivedFields: await findReceivedFields(tx, planned.order) }])
}
