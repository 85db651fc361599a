// A merchant's statement of the available and the unsettled balance in one currency: opening balances, every movement
// with its running balance, and closing balances. The statement is read in one snapshot, so it equals the ledger
// exactly. The movements are read in pieces, so memory does not limit the length of a statement.
import { writeCsv } from '../../platform/base/csv.ts'
import { formatAmount } from '../../platform/base/money.ts'
import { atReadersPace, type Db } from '../../platform/postgres/db.ts'
import { AVAILABLE, FEES, UNSETTLED } from './account.ts'
import {
  type FeeSum,
  type Movement,
  readMovements,
  type StepSum,
  selectFees,
  selectOpening,
  selectStepSums,
} from './statement-sql.ts'

export type StatementQuery = {
  readonly merNo: number
  readonly currency: string
  readonly from: Date
  /** The end of the statement (exclusive). */
  readonly until: Date
}

export type Sums = { readonly available: bigint; readonly unsettled: bigint }
type Statement = { readonly opening: Sums; readonly closing: Sums; readonly movements: number }

const accounts = [
  ['available', AVAILABLE],
  ['unsettled', UNSETTLED],
] as const

/** Writes the statement as CSV, piece by piece. */
export function writeStatement(
  db: Db,
  query: StatementQuery,
  write: (text: string) => Promise<void>,
): Promise<Statement> {
  return db.transaction(async (tx) => {
    await tx.query({ text: 'set transaction isolation level repeatable read, read only' })
    await tx.query({ text: atReadersPace })
    const span = { ...query, accounts: accounts.map(([, account]) => account) }
    const balances = await selectOpening(tx, span)
    const opening = sumsOf(balances)
    await write(writeCsv(['time', 'account', 'subject', 'step', 'counter account', 'amount', 'balance']))
    await write(edgeRows('opening', query.from, query.currency, balances))
    let movements = 0
    for await (const piece of readMovements(tx, span)) {
      movements += piece.length
      await write(piece.map((movement) => movementRow(movement, query.currency, balances)).join(''))
    }
    await write(edgeRows('closing', query.until, query.currency, balances))
    return { opening, closing: sumsOf(balances), movements }
  })
}

function movementRow(movement: Movement, currency: string, balances: Map<string, bigint>): string {
  const { account, subject, step, counter, amount } = movement
  const balance = (balances.get(account) ?? 0n) + amount
  balances.set(account, balance)
  const sums = [amount, balance].map((sum) => formatAmount(sum, currency))
  return writeCsv([movement.at.toISOString(), nameOf(account), subject, step, counter, ...sums])
}

function edgeRows(word: string, at: Date, currency: string, balances: ReadonlyMap<string, bigint>): string {
  const row = (name: string, account: string) => {
    const balance = formatAmount(balances.get(account) ?? 0n, currency)
    return writeCsv([at.toISOString(), name, `${word} balance`, '', '', '', balance])
  }
  return accounts.map(([name, account]) => row(name, account)).join('')
}

function nameOf(account: string): string {
  return accounts.find(([, known]) => known === account)?.[0] ?? account
}

function sumsOf(balances: ReadonlyMap<string, bigint>): Sums {
  return { available: balances.get(AVAILABLE) ?? 0n, unsettled: balances.get(UNSETTLED) ?? 0n }
}

type StatementSums = {
  readonly opening: Sums
  readonly closing: Sums
  readonly steps: readonly StepSum[]
}

/** Returns the sums of a statement, all read in one snapshot. */
export function sumStatement(db: Db, query: StatementQuery): Promise<StatementSums> {
  return db.transaction(async (tx) => {
    await tx.query({ text: 'set transaction isolation level repeatable read, read only' })
    const span = { ...query, accounts: [AVAILABLE, UNSETTLED] }
    const balances = await selectOpening(tx, span)
    const opening = sumsOf(balances)
    const steps = await selectStepSums(tx, span)
    const moved = (account: string) =>
      steps.reduce((sum, step) => (step.account === account ? sum + step.amount : sum), 0n)
    const closing = {
      available: opening.available + moved(AVAILABLE),
      unsettled: opening.unsettled + moved(UNSETTLED),
    }
    return { opening, closing, steps }
  })
}

export function sumFees(
  db: Db,
  period: { readonly merNo: number; readonly from: Date; readonly until: Date },
): Promise<FeeSum[]> {
  return db.transaction((tx) => selectFees(tx, period, FEES))
}
