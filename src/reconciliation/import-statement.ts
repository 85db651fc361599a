// Imports a channel's statement: compares it with our records, and keeps it with its differences. The same file may be
// imported again: its money is booked once, and the differences of the later import replace the earlier ones. A difference that a
// person explained stays explained.
import type { Clock } from '../base/clock.ts'
import { makeId, merNoOf } from '../base/id.ts'
import { formatAmount } from '../base/money.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { findSuspense, heldOfOrders } from '../suspense/book-suspense.ts'
import { type Difference, type Report, reconcile } from './reconcile.ts'
import type { StatementLine } from './statement-line.ts'
import {
  closeListed,
  insertDifferences,
  insertStatement,
  type NewDifference,
  type StoredStatement,
} from './statement-sql.ts'

export type Import = {
  readonly channel: string
  readonly fileName: string
  readonly by: string
  /** Lines that are compared so far. */
  readonly progress?: (done: number) => void
}

export type Imported = Report & { readonly statementId: string }

const PIECE = 500

export async function importStatement(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { channel, fileName, by, progress }: Import,
  lines: readonly StatementLine[],
): Promise<Imported> {
  const report = await reconcile({ db, clock, progress }, channel, lines)
  const importedAt = clock.now()
  const statementId = makeId('I', 0, importedAt)
  const { days, matched, different, booked } = report
  const fees = Object.fromEntries(
    [...report.fees].map(([currency, amount]) => [currency, formatAmount(amount, currency)]),
  )
  const statement: StoredStatement = {
    statementId,
    channel,
    fileName,
    days,
    lines: lines.length,
    matched,
    different,
    booked,
    fees,
    importedBy: by,
    importedAt,
  }
  await db.transaction(async (tx) => {
    await insertStatement(tx, statement)
    const seen = [...lines, ...report.differences]
    for (let start = 0; start < seen.length; start += PIECE)
      await closeListed(tx, statement, seen.slice(start, start + PIECE))
    await insertDifferences(tx, statement, await withSuspense(tx, channel, report.differences))
  })
  return { ...report, statementId }
}

/** With the money in suspense that each difference is about, so that it can be decided where it is seen. */
async function withSuspense(
  tx: Tx,
  channel: string,
  differences: readonly Difference[],
): Promise<NewDifference[]> {
  const payments = differences.filter(({ type, theirs }) => type === 'payment' && theirs !== undefined)
  const unknown = payments.flatMap(({ tradeNo, reference }) =>
    tradeNo === undefined ? [{ merNo: 0, reference }] : [],
  )
  const orders = payments.flatMap(({ tradeNo }) => {
    const merNo = tradeNo === undefined ? undefined : merNoOf(tradeNo)
    return tradeNo === undefined || merNo === undefined ? [] : [{ merNo, tradeNo }]
  })
  const found = [...(await findSuspense(tx, channel, unknown)), ...(await heldOfOrders(tx, orders))]
  const held = Map.groupBy(
    found.filter(({ state }) => state === 'held'),
    ({ tradeNo, reference }) => tradeNo ?? reference,
  )
  // An order may have several rows: each difference takes the next one.
  return differences.map((one, at) => {
    const isPayment = one.type === 'payment' && one.theirs !== undefined
    const suspense = isPayment ? held.get(one.tradeNo ?? one.reference)?.shift() : undefined
    return { ...one, no: at + 1, suspenseId: suspense?.suspenseId }
  })
}
