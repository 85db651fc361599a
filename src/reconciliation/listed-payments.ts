// Payments on a statement that name attempts of ours. What is listed beyond what was booked for an attempt goes to suspense
// under its order, in whichever order statement and channel speak, and however often.
//
// Invariant: see src/payments/deposits/keep-deposits.ts. What a statement listed is kept line by line, so that parts of one payment may
// come in files of different days, and the same line in several files. Lock order: statement_lines, then the orders that
// money is booked for, then suspense.

import { merNoOf } from '../base/id.ts'
import type { Money } from '../base/money.ts'
import { assert } from '../errors/catalogue.ts'
import { lockOrders } from '../orders/lock-orders.ts'
import { type AttemptKey, attemptOf, attemptReference } from '../orders/order.ts'
import type { Tx } from '../postgres/db.ts'
import { bookSuspense, type NewSuspense } from '../suspense/book-suspense.ts'
import type { SuspenseCause } from '../suspense/suspense.ts'
import { findBooked } from './find-booked.ts'
import { findOwn, type Own } from './find-movements.ts'
import type { LineKind } from './judge-line.ts'
import { type Booked, judgeListed, unbookedOf } from './judge-listed.ts'
import { type ListedLine, rememberLines, selectLines } from './listed-sql.ts'
import type { StatementLine } from './statement-line.ts'

/** `occurrence`: which of several equal lines of its file it is, from 1. */
export type PaymentLine = StatementLine & { readonly occurrence: number }

export type ListedPayment = {
  readonly own: Own
  readonly kind: LineKind
  /** What we know of, in the line's currency; undefined when nothing came that we know of. */
  readonly known: Money | undefined
}

/** Books what came without our knowledge; how many rows that made, and what each line that is ours means. */
export async function judgePayments(
  tx: Tx,
  lines: readonly PaymentLine[],
  at: Date,
): Promise<{ readonly booked: number; readonly judged: Map<PaymentLine, ListedPayment> }> {
  const owns = await findOwns(tx, lines)
  const ours = lines.filter(({ reference }) => owns.has(reference))
  if (ours.length === 0) return { booked: 0, judged: new Map() }
  await rememberLines(tx, ours.map(toListed))
  const seen = await look(tx, owns)
  const due = new Set(seen.filter((one) => toSuspense(one, at).length > 0).map(({ own }) => own.reference))
  const final = due.size === 0 ? seen : await lockAndLook(tx, ours, due)
  // What became due since the first look is not locked: it is reported, and booked when it is listed again.
  const toBook = final.filter(({ own }) => due.has(own.reference)).flatMap((one) => toSuspense(one, at))
  const booked = await bookSuspense(tx, toBook)
  assert(booked.length === toBook.length, 'what a statement brought has a name of its own')
  return { booked: booked.length, judged: judge(ours, final) }
}

async function findOwns(tx: Tx, lines: readonly PaymentLine[]): Promise<Map<string, Own>> {
  const references = [...new Set(lines.map(({ reference }) => reference))]
  const owns = await findOwn(tx, 'payment', references)
  return new Map(owns.map((own) => [own.reference, own]))
}

/** The channel may have reported meanwhile: only what is still missing under the orders' locks is booked. */
async function lockAndLook(
  tx: Tx,
  lines: readonly PaymentLine[],
  due: ReadonlySet<string>,
): Promise<Listed[]> {
  await lockOrders(tx, [...due].map(keyOf))
  return look(tx, await findOwns(tx, lines))
}

/** One attempt in one currency: all that was listed, and all that was booked. */
type Listed = {
  readonly own: Own
  readonly currency: string
  readonly lines: readonly ListedLine[]
  readonly booked: Booked
  /** Over all currencies. */
  readonly statementRows: number
}

async function look(tx: Tx, owns: ReadonlyMap<string, Own>): Promise<Listed[]> {
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

function judge(lines: readonly PaymentLine[], listed: readonly Listed[]): Map<PaymentLine, ListedPayment> {
  const found = new Map<string, ListedPayment>()
  for (const { own, currency, booked, lines: all } of listed) {
    const kinds = judgeListed(own, booked, amountsOf(all))
    const known = booked.known > 0n ? { amount: booked.known, currency } : undefined
    for (const [at, one] of all.entries())
      found.set(nameOf(one), { own, kind: kinds[at] ?? 'differs', known })
  }
  return new Map(
    lines.map((line) => {
      const judged = found.get(nameOf(toListed(line)))
      assert(judged !== undefined, 'a stored line is found again')
      return [line, judged]
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
