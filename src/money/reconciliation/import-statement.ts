// Imports a channel's statement: compares the statement with our records, and stores it with its differences. The same
// file may be imported again: its money is booked once, and the differences of the later import replace the differences
// of the earlier import. A difference that a person explained stays explained.
import type { Clock } from '../../platform/base/clock.ts'
import { merNoOf } from '../../platform/base/id.ts'
import { formatAmount } from '../../platform/base/money.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Connection } from '../../rails/contract/protocol.ts'
import { heldOfOrders } from '../suspense/book-suspense.ts'
import type { Difference } from './compare-lines.ts'
import { lockLines } from './listed-sql.ts'
import { type Report, reconcile } from './reconcile.ts'
import type { StatementLine } from './statement-line.ts'
import {
  closeListed,
  closeNotRepeated,
  closeReplaced,
  insertDifferences,
  insertStatement,
  type NewDifference,
  type StoredStatement,
  writeFingerprints,
} from './statement-sql.ts'

type Import = {
  readonly channel: string
  readonly fileName: string
  readonly by: string
  /** The day that the channel sent the statement for. Undefined for a file. */
  readonly day?: string | undefined
  /** The id of the earlier statement that this statement replaces. */
  readonly replaces?: string | undefined
  /** Reports the number of lines that have been compared so far. */
  readonly progress?: (done: number) => void
}

const PIECE = 500

export async function importStatement(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { channel, fileName, by, day, replaces, progress }: Import,
  lines: readonly StatementLine[],
): Promise<Report> {
  const report = await reconcile({ db, clock, progress }, channel, lines, { day, replaces })
  const importedAt = clock.now()
  const { statementId, days, matched, different, booked } = report
  const withdrawn = report.withdrawn.map(({ suspenseId }) => suspenseId)
  const fees = Object.fromEntries(
    [...report.fees].map(([currency, amount]) => [currency, formatAmount(amount, currency)]),
  )
  const statement: StoredStatement & { readonly isFetched: boolean } = {
    statementId,
    channel,
    fileName,
    isFetched: day !== undefined,
    days,
    lines: lines.length,
    matched,
    different,
    booked,
    withdrawn: withdrawn.length,
    fees,
    importedBy: by,
    importedAt,
  }
  await db.transaction(async (tx) => {
    // The lock serialises imports. Without it, two imports that close the same differences could lock the rows in
    // different orders and deadlock.
    await lockLines(tx)
    await insertStatement(tx, statement)
    await closeNotRepeated(tx, statement, replaces)
    const seen = [...lines, ...report.differences.filter(({ kind }) => kind !== 'not repeated')]
    for (let start = 0; start < seen.length; start += PIECE)
      await closeListed(tx, statement, seen.slice(start, start + PIECE))
    const differences = await withSuspense(tx, report.differences)
    const waiting = differences.flatMap(({ suspenseId }) => suspenseId ?? [])
    await closeReplaced(tx, statement, [...withdrawn, ...waiting])
    await insertDifferences(tx, statement, differences)
    await writeFingerprints(tx, statementId)
  })
  return report
}

/** Adds to each difference the suspense row of its money, so that people can decide on the money there. */
async function withSuspense(tx: Tx, differences: readonly Difference[]): Promise<NewDifference[]> {
  const orders = differences.flatMap(({ type, theirs, tradeNo }) => {
    const merNo = tradeNo === undefined ? undefined : merNoOf(tradeNo)
    const isPayment = type === 'payment' && theirs !== undefined
    return !isPayment || tradeNo === undefined || merNo === undefined ? [] : [{ merNo, tradeNo }]
  })
  const held = Map.groupBy(await heldOfOrders(tx, orders), ({ tradeNo }) => tradeNo)
  // An order may have several suspense rows: each difference of the order takes the next row.
  return differences.map((one, at) => {
    const isPayment = one.type === 'payment' && one.theirs !== undefined && one.tradeNo !== undefined
    const suspenseId = isPayment ? held.get(one.tradeNo)?.shift()?.suspenseId : one.suspenseId
    return { ...one, no: at + 1, suspenseId }
  })
}

/**
 * Fetches the statement of a day (UTC). Refuses an incomplete statement, because each missing line would become a
 * difference.
 */
export async function fetchStatement(
  { statement }: Pick<Connection, 'statement'>,
  channel: string,
  day: string,
): Promise<StatementLine[]> {
  if (statement === undefined)
    throw new OperatorRefusal(`channel ${channel} sends no statements: give a file`)
  const fetched = await statement(day)
  if (fetched.kind === 'unknown')
    throw new OperatorRefusal(`the statement could not be fetched: ${fetched.why}`)
  return fetched.lines.map((line, at) => ({ ...line, line: at + 1, day }))
}
