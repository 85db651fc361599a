// Payments on a statement that have a reference of ours. Listed money that is not booked for its attempt goes to suspense under
// its order, in whatever order and however often the statement and the channel report it.
//
// Invariant: see src/payments/deposits/store-deposits.ts. Every line of a statement is stored, so that parts of one payment may
// be in files of different days, and the same line in several files. Lock order: statement_lines, then the orders that money is
// booked for, then suspense.

import { merNoOf } from '../base/id.ts'
import type { Money } from '../base/money.ts'
import { assert } from '../errors/catalogue.ts'
import { lockOrders } from '../orders/lock-orders.ts'
import { type AttemptKey, attemptOf, attemptReference } from '../orders/order.ts'
import type { Tx } from '../postgres/db.ts'
import { bookSuspense, type NewSuspense } from '../suspense/book-suspense.ts'
import type { SuspenseCause } from '../suspense/suspense.ts'
import type { LineKind } from './compare-line.ts'
import { type Booked, compareListed, unbookedOf } from './compare-listed.ts'
import { findBooked } from './find-booked.ts'
import { findOwn, type Own } from './find-movements.ts'
import { type ListedLine, selectLines, storeLines } from './listed-sql.ts'
import type { StatementLine } from './statement-line.ts'

/** `occurrence`: the number of this line among equal lines of its file, from 1. */
export type PaymentLine = StatementLine & { readonly occurrence: number }

export type ListedPayment = {
  readonly own: Own
  readonly kind: LineKind
  /** The money that we knew of, in the line's currency; undefined when there was none. */
  readonly known: Money | undefined
}

/** Books money that was not reported to us. Returns how many rows were booked, and the result for each of our lines. */
export async function reconcilePayments(
  tx: Tx,
  lines: readonly PaymentLine[],
  at: Date,
): Promise<{ readonly booked: number; readonly compared: Map<PaymentLine, ListedPayment> }> {
  const owns = await findOwns(tx, lines)
  const ours = lines.filter(({ reference }) => owns.has(reference))
  if (ours.length === 0) return { booked: 0, compared: new Map() }
  await storeLines(tx, ours.map(toListed))
  const seen = await readListed(tx, owns)
  const due = new Set(seen.filter((one) => toSuspense(one, at).length > 0).map(({ own }) => own.reference))
  const final = due.size === 0 ? seen : await lockAndRead(tx, ours, due)
  // Money that became unbooked since the first read is not locked: it is reported, and booked when it is listed again.
  const toBook = final.filter(({ own }) => due.has(own.reference)).flatMap((one) => toSuspense(one, at))
  const booked = await bookSuspense(tx, toBook)
  assert(booked.length === toBook.length, 'each row from a statement has its own reference')
  return { booked: booked.length, compared: compare(ours, final) }
}

async function findOwns(tx: Tx, lines: readonly PaymentLine[]): Promise<Map<string, Own>> {
  const references = [...new Set(lines.map(({ reference }) => reference))]
  const owns = await findOwn(tx, 'payment', references)
  return new Map(owns.map((own) => [own.reference, own]))
}

/** Reads again under the orders' locks, because the channel may have reported the money meanwhile. */
async function lockAndRead(
  tx: Tx,
  lines: readonly PaymentLine[],
  due: ReadonlySet<string>,
): Promise<Listed[]> {
  await lockOrders(tx, [...due].map(keyOf))
  return readListed(tx, await findOwns(tx, lines))
}

/** One attempt in one currency: everything that was listed and booked. */
type Listed = {
  readonly own: Own
  readonly currency: string
  readonly lines: readonly ListedLine[]
  readonly booked: Booked
  /** Over all currencies. */
  readonly statementRows: number
}

async function readListed(tx: Tx, owns: ReadonlyMap<string, Own>): Promise<Listed[]> {
  const keys = [...owns.keys()].map(keyOf)
  const lines = Map.groupBy(await selectLines(tx, keys), referenceOf)
  const booked = Map.groupBy(await findBooked(tx, keys), ({ reference }) => reference)
  return [...owns.values()].flatMap((own) => {
    const found = booked.get(own.reference) ?? []
    const statementRows = found.reduce((sum, one) => sum + one.statementRows, 0)
    const byCurrency = Map.groupBy(lines.get(own.reference) ?? [], ({ currency }) => currency)
    return [...byCurrency].map(([currency, listed]): Listed => {
      const inCurrency = found.find((one) => one.currency === currency) ?? NOTHING
      return { own, currency, lines: listed, booked: inCurrency, statementRows }
    })
  })
}

const NOTHING: Booked = { booked: 0n, known: 0n, deposits: [] }

function toSuspense({ own, currency, lines, booked, statementRows }: Listed, at: Date): NewSuspense[] {
  const amount = unbookedOf(own, currency, booked, amountsOf(lines))
  if (amount === 0n) return []
  const { tradeNo, attemptNo } = keyOf(own.reference)
  return [
    {
      merNo: own.merNo,
      channel: own.channel,
      reference: `statement:${own.reference}${statementRows === 0 ? '' : `#${statementRows + 1}`}`,
      attempt: { tradeNo, attemptNo },
      origin: 'statement',
      money: { amount, currency },
      why: causeOf(own, currency),
      at,
    },
  ]
}

function causeOf({ standing, money }: Own, currency: string): SuspenseCause {
  if (currency !== money.currency) return 'unmatched'
  return standing === 'failed' ? 'late' : 'surplus'
}

function compare(lines: readonly PaymentLine[], listed: readonly Listed[]): Map<PaymentLine, ListedPayment> {
  const found = new Map<string, ListedPayment>()
  for (const { own, currency, booked, lines: all } of listed) {
    const kinds = compareListed(own, booked, amountsOf(all))
    const known = booked.known > 0n ? { amount: booked.known, currency } : undefined
    for (const [at, one] of all.entries())
      found.set(nameOf(one), { own, kind: kinds[at] ?? 'differs', known })
  }
  return new Map(
    lines.map((line) => {
      const compared = found.get(nameOf(toListed(line)))
      assert(compared !== undefined, 'a stored line is found again')
      return [line, compared]
    }),
  )
}

function toListed(payment: PaymentLine): ListedLine {
  const { reference, day, money, occurrence, line } = payment
  return { ...keyOf(reference), day, currency: money.currency, amount: money.amount, occurrence, line }
}

function nameOf(line: ListedLine): string {
  return [referenceOf(line), line.day, line.currency, line.amount, line.occurrence].join(' ')
}

function referenceOf({ tradeNo, attemptNo }: AttemptKey): string {
  return attemptReference(tradeNo, attemptNo)
}

function keyOf(reference: string): AttemptKey {
  const attempt = attemptOf(reference)
  const merNo = attempt && merNoOf(attempt.tradeNo)
  assert(attempt !== undefined && merNo !== undefined, 'our reference contains its attempt')
  return { merNo, ...attempt }
}

function amountsOf(lines: readonly ListedLine[]): bigint[] {
  return lines.map(({ amount }) => amount)
}
