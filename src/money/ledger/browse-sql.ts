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
  readonly merNo: number
  readonly subject: string
  readonly step: string
  readonly debit: string
  readonly credit: string
  readonly currency: string
  readonly amount: bigint
  readonly at: Date
}

type StoredEntry = Omit<EntryRow, 'merNo'> & { readonly merNo: bigint }

const entryColumns = 'mer_no as "merNo", subject, step, debit, credit, currency, amount, at'

function toEntry(row: StoredEntry): EntryRow {
  return { ...row, merNo: Number(row.merNo) }
}

export type EntryRange = {
  /** The merchant number. Undefined for the entries of all merchants and of the platform. */
  readonly merNo: number | undefined
  /** The range of subjects: from `first` (inclusive) to `last` (exclusive). */
  readonly first: string
  readonly last: string
  /** The last entry of the previous page. */
  readonly after: { readonly subject: string; readonly step: string } | undefined
}

export async function selectEntriesOf(db: Queryable, merNo: number, subject: string): Promise<EntryRow[]> {
  const rows = await db.query<StoredEntry>({
    text: `
      select ${entryColumns} from ledger_entries
      where mer_no = $1 and subject = $2 order by at, step`,
    values: [merNo, subject],
  })
  return rows.map(toEntry)
}

/**
 * Selects entries in descending order of subject and step. The index has no column for the step. So the page is read
 * from the subject of `after` on, and a filter drops the entries of this subject that were on the previous page.
 */
const entriesText = `
  select ${entryColumns} from ledger_entries
  where mer_no = m.mer_no and subject >= $2 and subject < $3 and subject <= $4
    and (subject, step) < ($4, $5)
  order by subject desc, step desc
  limit $6`

const entriesOfOneText = `
  select e.* from (select $1::bigint as mer_no) m cross join lateral (${entriesText}) e`

/**
 * Selects the entries of all owners: the merchants and the platform. The recursion finds each owner by one index
 * access. A page of n entries can only have entries of the n owners with the newest subjects. One more owner is read,
 * because all entries of the first owner's newest subject may be on the previous page.
 */
const entriesOfAllText = `
  with recursive owners as (
    (select mer_no from bookings where $1::bigint is null order by mer_no limit 1)
    union all
    select (select b.mer_no from bookings b where b.mer_no > o.mer_no order by b.mer_no limit 1)
    from owners o where o.mer_no is not null
  ),
  newest as materialized (
    select o.mer_no, b.subject from owners o
    cross join lateral (
      select subject from bookings
      where mer_no = o.mer_no and subject >= $2 and subject < $3 and subject <= $4
      order by subject desc limit 1
    ) b
    order by b.subject desc limit $6 + 1
  )
  select e.* from newest m cross join lateral (${entriesText}) e
  order by e.subject desc, e.step desc
  limit $6`

export async function selectEntries(
  db: Queryable,
  { merNo, first, last, after }: EntryRange,
  limit: number,
): Promise<EntryRow[]> {
  const rows = await db.query<StoredEntry>({
    text: merNo === undefined ? entriesOfAllText : entriesOfOneText,
    values: [merNo ?? null, first, last, after?.subject ?? last, after?.step ?? '', limit],
  })
  return rows.map(toEntry)
}
