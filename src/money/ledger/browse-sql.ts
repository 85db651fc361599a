import type { Queryable } from '../../platform/postgres/db.ts'
import { balancesOfOne } from './balance-sql.ts'

export type AccountRow = {
  readonly account: string
  readonly currency: string
  readonly debits: string
  readonly credits: string
}

export function selectAccounts(db: Queryable, merNo: number): Promise<AccountRow[]> {
  return db.query<AccountRow>({
    text: `
      select account, currency, debits::text, credits::text from ${balancesOfOne}
      order by currency, account`,
    values: [merNo],
  })
}

export function selectTrialBalance(db: Queryable): Promise<AccountRow[]> {
  return db.query<AccountRow>({
    text: `
      select account, currency, sum(debits)::text as debits, sum(credits)::text as credits from exact_balances
      group by currency, account order by currency, account`,
  })
}

export type OwnerRow = { readonly merNo: bigint; readonly currency: string; readonly balance: string }

export function selectOwners(db: Queryable, account: string, limit: number): Promise<OwnerRow[]> {
  return db.query<OwnerRow>({
    text: `
      select mer_no as "merNo", currency, (credits - debits)::text as balance from exact_balances
      where account = $1 and credits <> debits
      order by currency, credits - debits desc, mer_no limit $2`,
    values: [account, limit],
  })
}

export type EntryRow = {
  readonly subject: string
  readonly step: string
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly amount: bigint
  readonly at: Date
}

export type EntryRange = {
  readonly merNo: number
  /** The range of subjects: from `first` up to `last`, which is excluded. */
  readonly first: string
  readonly last: string
  /** The last entry of the previous page. */
  readonly after: { readonly subject: string; readonly step: string } | undefined
}

export function selectEntriesOf(db: Queryable, merNo: number, subject: string): Promise<EntryRow[]> {
  return db.query<EntryRow>({
    text: `
      select subject, step, debit, credit, currency, amount, at from ledger_entries
      where mer_no = $1 and subject = $2 order by at, step`,
    values: [merNo, subject],
  })
}

/**
 * Selects entries in descending order of subject and step. The index has no column for the step. So the page is read
 * from the subject of `after` on, and a filter by step drops the entries of the previous page.
 */
export function selectEntries(
  db: Queryable,
  { merNo, first, last, after }: EntryRange,
  limit: number,
): Promise<EntryRow[]> {
  return db.query<EntryRow>({
    text: `
      select subject, step, debit, credit, currency, amount, at from ledger_entries
      where mer_no = $1 and subject >= $2 and subject < $3 and subject <= $4
        and (subject, step) < ($4, $5)
      order by subject desc, step desc
      limit $6`,
    values: [merNo, first, last, after?.subject ?? last, after?.step ?? '', limit],
  })
}
