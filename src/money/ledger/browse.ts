// Reads the books for people: balances by account, the trial balance, and entries by subject.
import type { Money } from '../../platform/base/money.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import {
  type AccountRow,
  type EntryRange,
  type EntryRow,
  selectAccounts,
  selectEntries,
  selectEntriesOf,
  selectOwners,
  selectTrialBalance,
} from './browse-sql.ts'

/** The sums of an account in minor units. A sum may exceed 64 bits, so the database sends it as text. */
export type AccountSum = {
  readonly account: string
  readonly currency: string
  readonly debits: bigint
  readonly credits: bigint
}

export async function accountsOf(db: Queryable, merNo: number): Promise<AccountSum[]> {
  return (await selectAccounts(db, merNo)).map(toSum)
}

/** Returns the sums over all merchants. In each currency, total debits equal total credits. */
export async function trialBalance(db: Queryable): Promise<AccountSum[]> {
  return (await selectTrialBalance(db)).map(toSum)
}

/** Returns the merchants whose balance on this account is not zero, the largest balance first within a currency. */
export async function ownersOf(
  db: Queryable,
  account: string,
  limit: number,
): Promise<{ readonly merNo: number; readonly money: Money }[]> {
  return (await selectOwners(db, account, limit)).map(({ merNo, currency, balance }) => {
    return { merNo: Number(merNo), money: { amount: BigInt(balance), currency } }
  })
}

export function browseEntries(db: Queryable, range: EntryRange, limit: number): Promise<EntryRow[]> {
  return selectEntries(db, range, limit)
}

/** Returns all entries of one subject, such as an order, the oldest first. */
export function entriesOf(db: Queryable, merNo: number, subject: string): Promise<EntryRow[]> {
  return selectEntriesOf(db, merNo, subject)
}

function toSum({ account, currency, debits, credits }: AccountRow): AccountSum {
  return { account, currency, debits: BigInt(debits), credits: BigInt(credits) }
}
