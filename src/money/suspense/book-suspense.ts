// Owns suspense. Invariant: the open rows add up to the suspense account, for every merchant and currency.
// Lock order: the order, if it is decided in the same transaction, then rows of suspense.

import { makeId, merNoOf } from '../base/id.ts'
import type { Money } from '../base/money.ts'
import { channelAccount, SUSPENSE } from '../ledger/account.ts'
import { type Entry, postEntries } from '../ledger/post-entries.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import {
  type HeldCount,
  insertSuspense,
  type OrderKey,
  selectAcceptedOrders,
  selectBooked,
  selectByReference,
  selectHeld,
  selectHeldCount,
  selectHeldNumbered,
  selectHeldOfOrders,
} from './sql.ts'
import { type Suspense, type SuspenseCause, type SuspenseOrigin, steps, subjectOf } from './suspense.ts'

export type NewSuspense = {
  /** 0 when no merchant is known. */
  readonly merNo: number
  readonly channel: string
  /** The channel's reference: money that is reported again under it is booked once. */
  readonly reference: string
  /** The attempt that the money was paid for; undefined when no order is known. */
  readonly attempt?: { readonly tradeNo: string; readonly attemptNo: number }
  readonly origin: Exclude<SuspenseOrigin, 'split'>
  readonly money: Money
  readonly why: SuspenseCause
  readonly at: Date
}

/** Books items that were not booked before, from the channel to the suspense account, and returns them. */
export async function bookSuspense(tx: Tx, items: readonly NewSuspense[]): Promise<Suspense[]> {
  if (items.length === 0) return []
  const booked = await insertSuspense(tx, items.map(toSuspense))
  await postEntries(tx, booked.map(toEntry))
  return booked
}

export function toSuspense(
  item: Omit<NewSuspense, 'origin'> & { readonly origin: SuspenseOrigin },
): Suspense {
  const { merNo, channel, reference, attempt, origin, money, why, at } = item
  return {
    merNo,
    suspenseId: makeId('S', merNo, at),
    channel,
    reference,
    tradeNo: attempt?.tradeNo,
    attemptNo: attempt?.attemptNo,
    origin,
    money,
    why,
    state: 'held',
    bookedAt: at,
    decidedAt: undefined,
  }
}

function toEntry(item: Suspense): Entry {
  const { merNo, suspenseId, money, bookedAt: at } = item
  const step = steps.booked(suspenseId)
  const debit = channelAccount(item.channel)
  return { merNo, subject: subjectOf(item), step, debit, credit: SUSPENSE, money, at }
}

/** Money that waits for an operator, oldest first; `after` is the id of the last one of the page before. */
export function listHeld(
  db: Queryable,
  merNo: number | undefined,
  limit: number,
  after?: string,
): Promise<Suspense[]> {
  const last = after === undefined ? undefined : { merNo: merNoOf(after) ?? 0, suspenseId: after }
  return selectHeld(db, merNo, limit, last)
}

/** Money of these orders that waits for an operator, oldest first. */
export function heldOfOrders(db: Queryable, orders: readonly OrderKey[]): Promise<Suspense[]> {
  return orders.length === 0 ? Promise.resolve([]) : selectHeldOfOrders(db, orders)
}

/** Rows that wait for an operator, by our number, that of their order or the channel's reference. */
export function findHeld(db: Queryable, number: string, limit: number): Promise<Suspense[]> {
  return selectHeldNumbered(db, number, limit)
}

/** Rows that wait for an operator, and since when. */
export function countHeld(db: Queryable): Promise<HeldCount> {
  return selectHeldCount(db)
}

/** Money that is already booked under these references of the channel. */
export function findSuspense(
  db: Queryable,
  channel: string,
  keys: readonly { readonly merNo: number; readonly reference: string }[],
): Promise<Suspense[]> {
  return keys.length === 0 ? Promise.resolve([]) : selectByReference(db, channel, keys)
}

/** How much was booked for an attempt, and how much of that because its channel's statement listed it. */
export function bookedFor(
  tx: Tx,
  attempt: { readonly merNo: number; readonly tradeNo: string; readonly attemptNo: number },
): Promise<Map<string, { readonly booked: bigint; readonly listed: bigint }>> {
  return selectBooked(tx, attempt)
}

/** The orders that were paid with money accepted from suspense, by trade number. */
export async function paidFromSuspense(db: Queryable, orders: readonly OrderKey[]): Promise<Set<string>> {
  return new Set(orders.length === 0 ? [] : await selectAcceptedOrders(db, orders))
}
