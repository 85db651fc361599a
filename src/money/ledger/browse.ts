// The books as people read them: balances by account, the trial balance, and entries by subject.
import type { Money } from '../base/money.ts'
import type { Queryable } from '../postgres/db.ts'
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

/** In minor units; sums of a whole platform may exceed 64 bits, so they are not bigints of the database. */
export type AccountSum = {
  readonly account: string
  readonly currency: string
  readonly debits: bigint
  readonly credits: bigint
}

export async function accountsOf(db: Queryable, merNo: number): Promise<AccountSum[]> {
  return (await selectAccounts(db, merNo)).map(toSum)
}

/** Over all merchants, by currency and account. In each currency debits equal credits. */
export async function trialBalance(db: Queryable): Promise<AccountSum[]> {
  return (await selectTrialBalance(db)).map(toSum)
}

/** The merchants with a balance on this account, largest first within a currency. */
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

/** All entries of one order, refund or chargeback, oldest first. */
export function entriesOf(db: Queryable, merNo: number, subject: string): Promise<EntryRow[]> {
  return selectEntriesOf(db, merNo, subject)
}

function toSum({ account, currency, debits, credits }: AccountRow): AccountSum {
  return { account, currency, debits: BigInt(debits), credits: BigInt(credits) }
}
