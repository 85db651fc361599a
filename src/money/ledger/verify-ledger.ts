import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import {
  firstBorder,
  type KeyRange,
  lastBorder,
  type MerchantRange,
} from '../../platform/postgres/key-range.ts'
import type { EntrySum } from './entry-sum.ts'
import {
  countAccounts,
  countEntries,
  type DifferenceRow,
  selectAllDifferences,
  selectDifferences,
  selectEntrySums,
} from './sql.ts'

export type Verification = {
  readonly entries: number
  readonly accounts: number
  readonly differences: readonly Difference[]
}

/**
 * An account whose stored debits or credits differ from the sums of its entries. `balance` and `entries` are credits
 * less debits, in minor units.
 */
export type Difference = {
  readonly merNo: number
  readonly account: string
  readonly currency: string
  readonly balance: string
  readonly entries: string
}

/** Recomputes every balance from the entries. A sound ledger has no differences. */
export async function verifyLedger(db: Queryable): Promise<Verification> {
  const differences = await selectAllDifferences(db)
  const merchants = { first: firstBorder.merNo, last: lastBorder.merNo }
  return {
    entries: await countEntries(db),
    accounts: await countAccounts(db, merchants),
    differences: differences.map(toDifference),
  }
}

/** Returns the sums of the entries in a key range. The sums of several ranges can be added. */
export function sumEntries(db: Queryable, range: KeyRange): Promise<EntrySum[]> {
  return selectEntrySums(db, range)
}

/** Compares these merchants' balances with the sums of all their entries. The caller reads all in one snapshot. */
export async function verifyBalances(
  tx: Tx,
  merchants: MerchantRange,
  sums: readonly EntrySum[],
): Promise<Verification> {
  const differences = await selectDifferences(tx, merchants, sums)
  return {
    entries: sums.reduce((total, { sums: [entries] }) => total + Number(entries), 0),
    accounts: await countAccounts(tx, merchants),
    differences: differences.map(toDifference),
  }
}

function toDifference(row: DifferenceRow): Difference {
  return {
    merNo: Number(row.mer_no),
    account: row.account,
    currency: row.currency,
    balance: (BigInt(row.stored_credits) - BigInt(row.stored_debits)).toString(),
    entries: (BigInt(row.entered_credits) - BigInt(row.entered_debits)).toString(),
  }
}
