// A merchant's statement: what each balance was, every movement with its running balance, and what each balance is then.
// All of it is read in one snapshot, so it equals the ledger to the last unit, and in pieces, so its length does not matter.
import { writeCsv } from '../base/csv.ts'
import { formatAmount } from '../base/money.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { givenArray, text } from '../postgres/lists.ts'
import { AVAILABLE, UNSETTLED } from './account.ts'

export type StatementQuery = {
  readonly merNo: number
  readonly currency: string
  readonly from: Date
  /** Not part of it. */
  readonly until: Date
}

export type Sums = { readonly available: bigint; readonly unsettled: bigint }
export type Statement = { readonly opening: Sums; readonly closing: Sums; readonly movements: number }

type Movement = {
  readonly at: Date
  readonly account: string
  readonly counter: string
  readonly subject: string
  readonly step: string
  /** Above zero: the balance grows. */
  readonly amount: bigint
}

const PIECE = 1_000
const accounts = [
  ['available', AVAILABLE],
  ['unsettled', UNSETTLED],
] as const

/** Hands the statement over as CSV, piece by piece. */
export function writeStatement(
  db: Db,
  query: StatementQuery,
  write: (text: string) => Promise<void>,
): Promise<Statement> {
  return db.transaction(async (tx) => {
    await tx.query({ text: 'set transaction isolation level repeatable read, read only' })
    const balances = await openingBalances(tx, query)
    const opening = sumsOf(balances)
    await write(writeCsv(['time', 'account', 'subject', 'step', 'counter account', 'amount', 'balance']))
    await write(edgeRows('opening', query.from, query.currency, balances))
    await openCursor(tx, query)
    let movements = 0
    for (;;) {
      const piece = await tx.query<Movement>({ text: `fetch ${PIECE} from statement` })
      if (piece.length === 0) break
      movements += piece.length
      await write(piece.map((movement) => movementRow(movement, query.currency, balances)).join(''))
    }
    await write(edgeRows('closing', query.until, query.currency, balances))
    return { opening, closing: sumsOf(balances), movements }
  })
}

/** Today's balances less all that moved since: what lies before the statement need not be read. */
async function openingBalances(tx: Tx, query: StatementQuery): Promise<Map<string, bigint>> {
  const rows = await tx.query<{ account: string; amount: string }>({
    text: `
      select account, sum(amount)::text as amount from (
        select account, credits - debits as amount from exact_balances
        where mer_no = $1 and currency = $2 and account = any (${own.text})
        union all
        select account, -amount from (${movementsText}) as moved where at >= $3
      ) as parts
      group by account`,
    values: [query.merNo, query.currency, query.from, own.value(accounts)],
  })
  return new Map(rows.map(({ account, amount }) => [account, BigInt(amount)]))
}

const own = givenArray(
  text<readonly [string, string]>(([, account]) => account),
  4,
)

// An entry between the two balances is a movement of both.
const movementsText = `
  select at, subject, step, credit as account, debit as counter, amount from ledger_entries
  where mer_no = $1 and currency = $2 and at >= $3 and credit = any (${own.text})
  union all
  select at, subject, step, debit, credit, -amount from ledger_entries
  where mer_no = $1 and currency = $2 and at >= $3 and debit = any (${own.text})`

async function openCursor(tx: Tx, { merNo, currency, from, until }: StatementQuery): Promise<void> {
  await tx.query({
    text: `
      declare statement no scroll cursor for
      select at, account, counter, subject, step, amount from (${movementsText}) as moved
      where at < $5
      order by at, subject, step, account`,
    values: [merNo, currency, from, own.value(accounts), until],
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
