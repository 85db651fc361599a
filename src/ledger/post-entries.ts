// Owns ledger_entries. One entry is one transfer. The same transaction adds deltas to the balances, which are new rows, so
// posting never waits for a lock. Only a decision that depends on a balance needs one (lock-balances.ts).

import type { Money } from '../base/money.ts'
import type { Statement, Tx } from '../postgres/db.ts'
import { addToBalances } from './balances.ts'
import { insertEntries } from './sql.ts'

export type Entry = {
  readonly merNo: number
  /** A trade number, a refund number or a name. Each `step` of a subject can be posted only once. */
  readonly subject: string
  readonly step: string
  readonly debit: string
  readonly credit: string
  readonly money: Money
  readonly at: Date
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
