// Owns ledger_entries and balances. One entry is one transfer; balances change in the same transaction.
// Lock order: balance rows by (mer_no, account, currency); callers hold their order rows first.
import type { Statement, Tx } from '../base/db.ts'
import type { Money } from '../base/money.ts'
import { addToBalances, insertEntries, type Sides } from './sql.ts'

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
  return real.length === 0 ? [] : [insertEntries(real), addToBalances(sumsOf(real))]
}

/** By account, in key order. A merchant has few accounts: looking through them takes less than a key for each side. */
function sumsOf(entries: readonly Entry[]): Sides[] {
  const sums = new Map<number, Sides[]>()
  for (const { merNo, debit, credit, money } of entries) {
    const known = sums.get(merNo) ?? []
    if (known.length === 0) sums.set(merNo, known)
    sidesOf(known, merNo, debit, money.currency).debits += money.amount
    sidesOf(known, merNo, credit, money.currency).credits += money.amount
  }
  return [...sums.values()].flat().sort(inKeyOrder)
}

function sidesOf(known: Sides[], merNo: number, account: string, currency: string): Sides {
  for (const sides of known) if (sides.account === account && sides.currency === currency) return sides
  const sides = { merNo, account, currency, debits: 0n, credits: 0n }
  known.push(sides)
  return sides
}

function inKeyOrder(one: Sides, other: Sides): number {
  if (one.merNo !== other.merNo) return one.merNo - other.merNo
  if (one.account !== other.account) return one.account < other.account ? -1 : 1
  return one.currency < other.currency ? -1 : 1
}
