// Owns ledger_entries and balances. One entry is one transfer; balances change in the same statement.
// Lock order: balance rows by (mer_no, account, currency); callers hold their order rows first.
import type { Tx } from '../base/db.ts'
import type { Money } from '../base/money.ts'
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
  const real = entries.filter((entry) => entry.money.amount !== 0n)
  if (real.length > 0) await insertEntries(tx, real)
}
