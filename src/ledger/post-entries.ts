// Owns ledger_entries. One entry is one transfer. Balances change in the same transaction, by a delta of their own: a booking
// waits for no other, and needs no lock unless it depends on a balance (lock-balances.ts).

import type { Statement, Tx } from '../postgres/db.ts'
import { int8, listOf, text, time } from '../postgres/lists.ts'
import { addToBalances } from './balances.ts'
import type { Transfer } from './transfer.ts'

export type Entry = Transfer & {
  /** What it is for: a trade or refund number, or a name. With `step` it can be booked once only. */
  readonly subject: string
  readonly step: string
}

/** Posts all entries, except those of zero. */
export async function postEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  await Promise.all(bookingOf(entries).map((statement) => tx.query(statement)))
}

/** The statements that post the entries; none if there is nothing to post. */
export function bookingOf(entries: readonly Entry[]): Statement[] {
  const real = entries.filter((entry) => entry.money.amount !== 0n)
  return real.length === 0 ? [] : [insertEntries(real), addToBalances(real)]
}

function insertEntries(entries: readonly Entry[]): Statement {
  return { name: 'ledger.insert-entries', text: insertEntriesText, values: entered.values(entries) }
}

const entered = listOf<Entry>({
  mer_no: int8((one) => one.merNo),
  subject: text((one) => one.subject),
  step: text((one) => one.step),
  debit: text((one) => one.debit),
  credit: text((one) => one.credit),
  currency: text((one) => one.money.currency),
  amount: int8((one) => one.money.amount),
  at: time((one) => one.at),
})

const insertEntriesText = `
  insert into ledger_entries (mer_no, subject, step, debit, credit, currency, amount, at)
  select mer_no, subject, step, debit, credit, currency, amount, at from ${entered.text}`
