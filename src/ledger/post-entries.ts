// Owns ledger_entries. One entry is one transfer; balances change in the same transaction, by rows of its own: whoever
// books waits for nobody, and needs no lock unless it decides by a balance (lock-balances.ts).

import type { Money } from '../base/money.ts'
import type { Statement, Tx } from '../postgres/db.ts'
import { addToBalances } from './balances.ts'
import { insertEntries } from './sql.ts'

export type Entry = {
  readonly merNo: number
  /** What it is for: a trade or refund number, or a name. With `step` it can be booked once only. */
  readonly subject: string
  readonly step: string
  readonly debit: string
  readonly credit: string
  readonly money: Money
  readonly at: Date
}

/** Books all; transfers of nothing are left out. */
export async function postEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  await Promise.all(bookingOf(entries).map((statement) => tx.query(statement)))
}

/** The statements that book them, or none when there is nothing to book. */
export function bookingOf(entries: readonly Entry[]): Statement[] {
  const real = entries.filter((entry) => entry.money.amount !== 0n)
  return real.length === 0 ? [] : [insertEntries(real), addToBalances(real)]
}
