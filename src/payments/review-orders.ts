// A payment whose money is in and waits for an operator's word: what becomes of the order at each step of its review. The
// money lies in the account for review until the order succeeds or the money went back; the same transaction writes state,
// history, limits, ledger, totals and notification.
//
// Lock order as everywhere: the order with its attempt, then usage rows.

import { formatAmount } from '../base/money.ts'
import { isMethod, traitsOf } from '../channels/method.ts'
import { assert } from '../errors/catalogue.ts'
import { channelAccount, REVIEW } from '../ledger/account.ts'
import { type Entry, postEntries } from '../ledger/post-entries.ts'
import { wantReviewNotifications } from '../merchants/want-review-notifications.ts'
import { enqueueNotifications } from '../notifications/enqueue-notifications.ts'
import type { NotificationEvent } from '../notifications/notification.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import type { Rates } from '../rates/rates.ts'
import { lockOrders } from './lock-orders.ts'
import type { OrderKey } from './paid-sql.ts'
import { bookingsOf, mayBecome, type OpenOrder, State, type StateNumber } from './payment.ts'
import { successOf } from './plan-change.ts'
import {
  countByReviewState,
  type HeldMoney,
  lockState,
  markForReview,
  type OrderInReview,
  type ReviewChange,
  selectArrival,
  selectHeldMoney,
  selectInReview,
  writeReviewChange,
} from './review-sql.ts'
import { addTotals, type Step } from './totals.ts'
import { returnUsage } from './usage.ts'
import { usagesOf } from './write-changes.ts'

/** Every payment has a state; the order only those in review, with the attempt that brought their money. */
export type LockedForReview = { readonly state: StateNumber; readonly order: OpenOrder | undefined }

const inReview: readonly StateNumber[] = [State.informationAsked, State.inReview]

/** Undefined when it is no payment of this merchant. */
export async function lockReviewed(tx: Tx, key: OrderKey): Promise<LockedForReview | undefined> {
  const found = await lockState(tx, key)
  if (found === undefined || !inReview.includes(found.state)) return found && { ...found, order: undefined }
  const { attemptNo } = await findHeldMoney(tx, key)
  const order = (await lockOrders(tx, [{ ...key, attemptNo }])).get(key.tradeNo)
  assert(order !== undefined, 'a locked order stays')
  return { state: order.state, order }
}

/** Of an order in review. */
export async function findHeldMoney(db: Queryable, key: OrderKey): Promise<HeldMoney> {
  const held = await selectHeldMoney(db, key)
  assert(held !== undefined, 'an order in review was paid')
  return held
}

export type Picked = 'picked' | 'unknown' | 'reviewed anyway' | 'not processing' | 'not reviewable'

/** Once its money is in, it will wait. */
export async function pickForReview(tx: Tx, key: OrderKey): Promise<Picked> {
  const found = await lockState(tx, key)
  if (found === undefined) return 'unknown'
  if (found.needsReview) return 'reviewed anyway'
  if (found.state !== State.processing) return 'not processing'
  if (!isReviewable(found.method)) return 'not reviewable'
  await markForReview(tx, key)
  return 'picked'
}

/** Whether payments of this method are ever reviewed. */
function isReviewable(method: string): boolean {
  return isMethod(method) && traitsOf(method).reviewAbove !== undefined
}

/** The merchant told more: 24 → 25. */
export async function markSubmitted(tx: Tx, order: OpenOrder, at: Date): Promise<void> {
  await change(tx, { order, state: State.inReview, message: 'Information received, in review', at })
}

/** What came is not enough: 25 → 24. The merchant reads the note. */
export async function askMore(tx: Tx, order: OpenOrder, note: string, at: Date): Promise<void> {
  const message = `More information is needed: ${note}`
  await change(tx, { order, state: State.informationAsked, message, at })
  const wants = await wantReviewNotifications(tx, [order.merNo])
  if (wants.has(order.merNo)) await tell(tx, order, 'review', { code: '3', message }, at)
}

/** The order succeeds, as all others do, only that the money comes from where it was held. */
export async function approveReviewed(
  tx: Tx,
  rates: Pick<Rates, 'find'>,
  order: OpenOrder,
  at: Date,
): Promise<void> {
  const message = 'Payment succeeded'
  const success = successOf(order, at, rates)
  await change(tx, { order, state: State.succeeded, message, at, success })
  await postEntries(tx, bookingsOf(order, success.charges, at).map(fromReview))
  await addTotals(tx, [stepInto(order, State.succeeded, success.charges.settleAmount, at)])
  await tell(tx, order, 'payment', { code: '0', message }, at)
}

function fromReview(entry: Entry): Entry {
  return entry.step === 'payment' ? { ...entry, debit: REVIEW } : entry
}

/** The payer has the money again: the order failed, and counts against no limit. The merchant reads the note. */
export async function rejectReviewed(tx: Tx, order: OpenOrder, note: string, at: Date): Promise<void> {
  const { merNo, tradeNo: subject, money, attempt } = order
  const message = `Rejected in review: ${note}`
  await change(tx, { order, state: State.failed, message, at })
  await returnUsage(tx, usagesOf([order]))
  const credit = channelAccount(attempt.channel)
  await postEntries(tx, [{ merNo, subject, step: 'review-returned', debit: REVIEW, credit, money, at }])
  await addTotals(tx, [stepInto(order, State.failed, 0n, at)])
  await tell(tx, order, 'payment', { code: '1', message }, at)
}

async function change(tx: Tx, wanted: ReviewChange): Promise<void> {
  const { order, state } = wanted
  assert(mayBecome(order.state, state), `an order may go ${order.state} → ${state}`)
  assert(await writeReviewChange(tx, wanted), 'no locked order changes under us')
}

/** It was in no cell of the totals while it was open. */
function stepInto(order: OpenOrder, state: StateNumber, settleAmount: bigint, at: Date): Step {
  const { merNo, localDay, money, terms } = order
  const { settleCurrency } = terms
  const cell = { merNo, localDay, state, currency: money.currency, settleCurrency, settled: false }
  return { cell, sign: 1n, sourceAmount: money.amount, settleAmount, at }
}

async function tell(
  tx: Tx,
  order: OpenOrder,
  event: NotificationEvent,
  told: { readonly code: string; readonly message: string },
  at: Date,
): Promise<void> {
  const { merNo, tradeNo, merOrderNo, notifyUrl: url } = order
  const fields = { tradeNo, merOrderNo, ...told, ...(await arrivalOf(tx, order)) }
  await enqueueNotifications(tx, [{ merNo, tradeNo, event, url, fields, at }])
}

async function arrivalOf(tx: Tx, order: OpenOrder): Promise<Record<string, string>> {
  const last = await selectArrival(tx, order)
  if (last === undefined) return {}
  return {
    receiveAmount: formatAmount(order.received, order.money.currency),
    ...(last.txHash !== undefined && { txHash: last.txHash }),
    ...(last.payerName !== undefined && { counterpartyAccountName: last.payerName }),
    ...(last.payerAccount !== undefined && { counterpartyAccountNum: last.payerAccount }),
  }
}

/** Orders that wait for information or an operator's word, those longest in their state first. */
export function listInReview(db: Queryable, limit: number): Promise<OrderInReview[]> {
  return selectInReview(db, limit)
}

/** How many wait for the merchant's information, and how many for the operator. */
export async function countInReview(
  db: Queryable,
): Promise<{ readonly asked: number; readonly submitted: number }> {
  const counts = await countByReviewState(db)
  return { asked: counts.get(State.informationAsked) ?? 0, submitted: counts.get(State.inReview) ?? 0 }
}
