// Settles payments on statements that have a reference of ours. Listed money that is not booked for its attempt goes to
// suspense under its order. The money is booked once, even if both the statement and the channel's callbacks report it,
// in any order and repeatedly. Money in suspense that the statements no longer list is withdrawn.
//
// src/money/payments/deposits/store-deposits.ts describes the invariant. Lock order: `lockLines`, then the orders whose
// money is booked or withdrawn, then suspense.

import { merNoOf } from '../../platform/base/id.ts'
import type { Money } from '../../platform/base/money.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { lockOrders } from '../orders/lock-orders.ts'
import { type AttemptKey, attemptOf } from '../orders/order.ts'
import { withdrawDeposits } from '../payments/deposits/store-deposits.ts'
import { bookSuspense } from '../suspense/book-suspense.ts'
import {
  chooseWithdrawn,
  lockRowsOfAttempt,
  type Withdrawal,
  withdrawSuspense,
} from '../suspense/release-suspense.ts'
import { ASSIGNED, type Suspense, type SuspenseCause } from '../suspense/suspense.ts'
import { type Booked, compareListed, type LineKind, reversedAfter, unbookedOf } from './compare-lines.ts'
import { findBooked } from './find-booked.ts'
import { findOwn, type Own } from './find-movements.ts'
import { selectLines } from './listed-sql.ts'
import type { StoredLine } from './match-lines.ts'

export type SettledPayment = {
  readonly own: Own
  readonly kind: LineKind
  /** The money that was already known, in the currency of the line. Undefined if there was none. */
  readonly known: Money | undefined
}

export type SettledAttempts = {
  /** The number of rows that were booked to suspense. */
  readonly booked: number
  readonly withdrawn: readonly Suspense[]
  /** The result for each line, by `lineNo`. */
  readonly compared: ReadonlyMap<string, SettledPayment>
  /**
   * By our reference: the decided attempts for which more money is booked than statements list. Open attempts are left
   * out.
   */
  readonly unlisted: ReadonlyMap<string, Own>
}

export async function findOwns(tx: Tx, references: readonly string[]): Promise<Map<string, Own>> {
  const owns = await findOwn(tx, 'payment', [...new Set(references)])
  return new Map(owns.map((own) => [own.reference, own]))
}

/** Books and withdraws the money of these attempts, so that suspense agrees with the lines that are not withdrawn. */
export async function settleAttempts(
  tx: Tx,
  references: readonly string[],
  at: Date,
): Promise<SettledAttempts> {
  const owns = await findOwns(tx, references)
  const seen = await readListed(tx, owns)
  const due = new Set(seen.filter((one) => changeOf(one) !== 0n).map(({ own }) => own.reference))
  const listed = due.size === 0 ? seen : await lockAndRead(tx, references, due)
  const settled: Listed[] = []
  const withdrawn: Suspense[] = []
  let count = 0
  for (const one of listed) {
    // Only the orders that had money to book or withdraw at the first read are locked. If another order gets such money
    // after the first read, this import only reports the money. The next statement that lists the money books or
    // withdraws it.
    const change = due.has(one.own.reference) ? changeOf(one) : 0n
    if (change > 0n) count += await book(tx, one, change, at)
    const { rows, rest } = change < 0n ? await withdraw(tx, one, -change, at) : NONE
    await noteReversed(tx, one, change)
    withdrawn.push(...rows)
    settled.push({ ...one, booked: without(one.booked, sumOf(rows) - rest) })
  }
  return { booked: count, withdrawn, compared: compare(settled), unlisted: unlistedOf(settled) }
}

/** Reads the sums again under the locks of the orders, because the channel may have reported the money meanwhile. */
async function lockAndRead(
  tx: Tx,
  references: readonly string[],
  due: ReadonlySet<string>,
): Promise<Listed[]> {
  await lockOrders(tx, [...due].map(keyOf))
  return readListed(tx, await findOwns(tx, references))
}

/** The lines and bookings of an attempt in one currency. */
type Listed = {
  readonly own: Own
  readonly currency: string
  readonly lines: readonly StoredLine[]
  readonly booked: Booked
}

async function readListed(tx: Tx, owns: ReadonlyMap<string, Own>): Promise<Listed[]> {
  const keys = [...owns.keys()].map(keyOf)
  if (keys.length === 0) return []
  const stored = (await selectLines(tx, keys)).filter(({ isStanding }) => isStanding)
  const lines = Map.groupBy(stored, ({ attempt }) => attempt)
  const booked = Map.groupBy(await findBooked(tx, keys), ({ reference }) => reference)
  return [...owns.values()].flatMap((own) => {
    const found = new Map(booked.get(own.reference)?.map((one) => [one.currency, one]))
    const listed = Map.groupBy(lines.get(own.reference) ?? [], ({ money }) => money.currency)
    return [...new Set([...listed.keys(), ...found.keys()])].map((currency): Listed => {
      return { own, currency, lines: listed.get(currency) ?? [], booked: found.get(currency) ?? NOTHING }
    })
  })
}

const NOTHING: Booked = {
  booked: 0n,
  known: 0n,
  unconfirmed: 0n,
  heldReported: 0n,
  reversed: 0n,
  deposits: [],
}

function changeOf({ own, currency, lines, booked }: Listed): bigint {
  return unbookedOf(own, currency, booked, lines.map(toAmount))
}

async function book(tx: Tx, { own, currency }: Listed, amount: bigint, at: Date): Promise<number> {
  const { merNo, channel } = own
  const money = { amount, currency }
  const about = { origin: 'statement', why: causeOf(own, currency), at } as const
  const reference = `statement:${own.reference}`
  const booked = await bookSuspense(tx, [
    { merNo, channel, reference, attempt: keyOf(own.reference), money, ...about },
  ])
  assert(booked.length === 1, 'money from a statement is booked whatever its reference')
  return booked.length
}

function causeOf({ standing, money }: Own, currency: string): SuspenseCause {
  if (currency !== money.currency) return 'unmatched'
  return standing === 'failed' ? 'late' : 'surplus'
}

/** Withdraws money, beginning with the money that only statements list. */
async function withdraw(tx: Tx, { own, currency }: Listed, amount: bigint, at: Date): Promise<Withdrawal> {
  const held = (await lockRowsOfAttempt(tx, keyOf(own.reference), currency)).filter(
    ({ lineNo, origin, reference }) =>
      lineNo === undefined &&
      origin !== 'split' &&
      !(origin === 'statement' && reference.startsWith(ASSIGNED)),
  )
  const [listed, reported] = [
    held.filter(({ origin }) => origin === 'statement'),
    held.filter(({ origin }) => origin === 'channel'),
  ]
  const chosen = chooseWithdrawn([...reported, ...listed], amount)
  await withdrawSuspense(tx, chosen, at)
  return chosen
}

const NONE: Withdrawal = { rows: [], rest: 0n }

/** Records the total of the money reported by callback that reversals have taken back, including this change. */
async function noteReversed(tx: Tx, { own, currency, lines, booked }: Listed, change: bigint): Promise<void> {
  if (change === 0n) return
  const amount = reversedAfter(booked, lines.map(toAmount), change)
  if (amount !== booked.reversed) await withdrawDeposits(tx, keyOf(own.reference), { amount, currency })
}

function without(booked: Booked, amount: bigint): Booked {
  const unconfirmed = booked.unconfirmed > amount ? booked.unconfirmed - amount : 0n
  const known = booked.known - (amount - (booked.unconfirmed - unconfirmed))
  return { ...booked, booked: booked.booked - amount, known, unconfirmed }
}

function sumOf(rows: readonly { readonly money: Money }[]): bigint {
  return rows.reduce((sum, { money }) => sum + money.amount, 0n)
}

function compare(listed: readonly Listed[]): Map<string, SettledPayment> {
  const found = new Map<string, SettledPayment>()
  for (const { own, currency, booked, lines } of listed) {
    const kinds = compareListed(own, booked, lines.map(toAmount))
    const known = booked.known > 0n ? { amount: booked.known, currency } : undefined
    for (const [at, { lineNo }] of lines.entries())
      found.set(lineNo, { own, kind: kinds[at] ?? 'differs', known })
  }
  return found
}

function unlistedOf(listed: readonly Listed[]): Map<string, Own> {
  const unlisted = listed.filter(({ own, booked, lines }) => {
    return own.standing !== 'open' && booked.booked > sumOf(lines)
  })
  return new Map(unlisted.map(({ own }) => [own.reference, own]))
}

function toAmount({ money, fee }: StoredLine): { amount: bigint; fee: bigint } {
  return { amount: money.amount, fee }
}

export function keyOf(reference: string): AttemptKey {
  const attempt = attemptOf(reference)
  const merNo = attempt && merNoOf(attempt.tradeNo)
  assert(attempt !== undefined && merNo !== undefined, 'our reference contains its attempt')
  return { merNo, ...attempt }
}
