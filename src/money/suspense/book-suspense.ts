// Books money to suspense, and finds, lists and sums money in suspense. Invariant: the open rows add up to the suspense
// account, for every merchant and currency. Lock order: the order, if the same transaction decides it, then rows of
// suspense.
import { makeId, merNoOf } from '../../platform/base/id.ts'
import type { Money } from '../../platform/base/money.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { channelAccount, SUSPENSE } from '../ledger/account.ts'
import { type Entry, postEntries } from '../ledger/post-entries.ts'
import {
  type HeldCount,
  insertSuspense,
  type OrderKey,
  type ReferenceKey,
  selectAcceptedOrders,
  selectBooked,
  selectByReference,
  selectHeld,
  selectHeldCount,
  selectHeldNumbered,
  selectHeldOfOrders,
  selectSums,
} from './sql.ts'
import {
  type AttemptKey,
  type Suspense,
  type SuspenseCause,
  type SuspenseOrigin,
  steps,
  subjectOf,
} from './suspense.ts'

export type NewSuspense = {
  /** The merchant number, or 0 if no merchant is known. */
  readonly merNo: number
  readonly channel: string
  /**
   * The channel's reference. Money that a channel reports again under the same reference is booked only once. Several
   * lines of statements may have the same reference.
   */
  readonly reference: string
  /** The statement line that brought the money, if the line named no known order. */
  readonly lineNo?: string | undefined
  /** The attempt that the money was paid for. Undefined if no order is known. */
  readonly attempt?: { readonly tradeNo: string; readonly attemptNo: number }
  readonly origin: Exclude<SuspenseOrigin, 'split'>
  readonly money: Money
  readonly why: SuspenseCause
  readonly at: Date
}

/** Books the items to suspense, and returns the booked items. An item that the channel reported before is skipped. */
export async function bookSuspense(tx: Tx, items: readonly NewSuspense[]): Promise<Suspense[]> {
  if (items.length === 0) return []
  const booked = await insertSuspense(tx, items.map(toSuspense))
  await postEntries(tx, booked.map(toEntry))
  return booked
}

export function toSuspense(
  item: Omit<NewSuspense, 'origin'> & { readonly origin: SuspenseOrigin },
): Suspense {
  const { merNo, channel, reference, attempt, origin, lineNo, money, why, at } = item
  return {
    merNo,
    suspenseId: makeId('S', merNo, at),
    channel,
    reference,
    tradeNo: attempt?.tradeNo,
    attemptNo: attempt?.attemptNo,
    origin,
    lineNo,
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

/** Returns the money that the channel's first report under this reference brought to suspense, if there is one. */
export async function findReported(
  db: Queryable,
  channel: string,
  key: ReferenceKey,
): Promise<Money | undefined> {
  const rows = await selectByReference(db, channel, [key])
  return rows.find(({ origin }) => origin === 'channel')?.money
}

/** Returns money that waits for an operator, oldest first. `after` is the id of the last row of the previous page. */
export function listHeld(
  db: Queryable,
  merNo: number | undefined,
  limit: number,
  after?: string,
): Promise<Suspense[]> {
  const last = after === undefined ? undefined : { merNo: merNoOf(after) ?? 0, suspenseId: after }
  return selectHeld(db, merNo, limit, last)
}

/** Returns money of these orders that waits for an operator, oldest first. */
export function heldOfOrders(db: Queryable, orders: readonly OrderKey[]): Promise<Suspense[]> {
  return orders.length === 0 ? Promise.resolve([]) : selectHeldOfOrders(db, orders)
}

/** Finds rows that wait for an operator, by the suspense id, the order's trade number or the channel's reference. */
export function findHeld(db: Queryable, number: string, limit: number): Promise<Suspense[]> {
  return selectHeldNumbered(db, number, limit)
}

export function countHeld(db: Queryable): Promise<HeldCount> {
  return selectHeldCount(db)
}

/** Returns the rows of suspense with these references of the channel, in any state and of any origin. */
export function findSuspense(
  db: Queryable,
  channel: string,
  keys: readonly ReferenceKey[],
): Promise<Suspense[]> {
  return keys.length === 0 ? Promise.resolve([]) : selectByReference(db, channel, keys)
}

/**
 * Returns, by currency, the amount booked to suspense for an attempt, and the part of this amount that statements list.
 */
export function bookedFor(
  tx: Tx,
  attempt: AttemptKey,
): Promise<Map<string, { readonly booked: bigint; readonly listed: bigint }>> {
  return selectBooked(tx, attempt)
}

/** Returns the trade numbers of the orders that were paid with money accepted from suspense. */
export async function paidFromSuspense(db: Queryable, orders: readonly OrderKey[]): Promise<Set<string>> {
  return new Set(orders.length === 0 ? [] : await selectAcceptedOrders(db, orders))
}

/**
 * The sums of an attempt's suspense rows in one currency, decided or not. Three kinds of rows do not count: withdrawn
 * rows, `split` rows, and money of a returned refund or payout that an operator assigned to the order.
 */
export type SuspenseSum = {
  readonly tradeNo: string
  readonly attemptNo: number
  readonly currency: string
  readonly booked: bigint
  /** The amount that came from the channel's own reports. */
  readonly fromChannel: bigint
  /** The amount of statement lines without a known order that an operator assigned to this order. */
  readonly assigned: bigint
  /** The part of `fromChannel` on which no operator has decided yet. */
  readonly heldFromChannel: bigint
  readonly heldFromStatement: bigint
  /** The part of `heldFromStatement` that statements list for this attempt. */
  readonly heldFromOwnLines: bigint
}

export async function sumByAttempt(tx: Tx, attempts: readonly AttemptKey[]): Promise<SuspenseSum[]> {
  const rows = await selectSums(tx, attempts)
  return rows.map((row) => ({
    tradeNo: row.trade_no,
    attemptNo: row.attempt_no,
    currency: row.currency,
    booked: row.booked,
    fromChannel: row.from_channel,
    assigned: row.assigned,
    heldFromChannel: row.held_from_channel,
    heldFromStatement: row.held_from_statement,
    heldFromOwnLines: row.held_from_own_lines,
  }))
}
