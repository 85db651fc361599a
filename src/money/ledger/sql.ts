import type { Queryable } from '../../platform/postgres/db.ts'
import {
  firstBorder,
  inKeyRange,
  type KeyRange,
  keyRangeValues,
  lastBorder,
  type MerchantRange,
} from '../../platform/postgres/key-range.ts'
import { int8, listOf, numeric, text } from '../../platform/postgres/lists.ts'
import type { EntrySum } from './entry-sum.ts'

export type DifferenceRow = {
  mer_no: bigint
  account: string
  currency: string
  stored_debits: string
  stored_credits: string
  entered_debits: string
  entered_credits: string
}

/** Sums a key range. The view ledger_entries is not used: its join is a nested loop, which the audit turns off. */
export function selectEntrySums(db: Queryable, range: KeyRange): Promise<EntrySum[]> {
  return db.query<EntrySum>({
    text: `
      select mer_no, debit, credit, currency, array[count(*), sum(amount)]::text[] as sums
      from (
        select mer_no, unnest(debited) as debit, unnest(credited) as credit, currency, unnest(amounts) as amount
        from bookings where ${inKeyRange('mer_no', 'subject')}
      ) legs
      group by mer_no, debit, credit, currency`,
    values: keyRangeValues(range),
  })
}

/** Selects up to 1000 accounts of these merchants whose stored debits or credits differ from the sums of entries. */
export function selectDifferences(
  db: Queryable,
  { first, last }: MerchantRange,
  sums: readonly EntrySum[],
): Promise<DifferenceRow[]> {
  const values = [first, last, ...entrySums.values(sums)]
  return db.query<DifferenceRow>({ text: differencesFrom(entrySums.text), values })
}

/** Selects up to 1000 differences of all merchants, in one statement, so that all rows come from one snapshot. */
export function selectAllDifferences(db: Queryable): Promise<DifferenceRow[]> {
  const text = differencesFrom('ledger_entries')
  return db.query<DifferenceRow>({ text, values: [firstBorder.merNo, lastBorder.merNo] })
}

const differencesFrom = (entries: string) => `
  with entered as (
    select mer_no, account, currency, sum(debits) as debits, sum(credits) as credits
    from (
      select mer_no, debit as account, currency, amount as debits, 0 as credits from ${entries}
      union all
      select mer_no, credit, currency, 0, amount from ${entries}
    ) sides group by mer_no, account, currency
  ), stored as (
    select mer_no, account, currency, debits, credits from exact_balances where mer_no between $1 and $2
  )
  select mer_no, account, currency,
    coalesce(b.debits, 0)::text as stored_debits, coalesce(b.credits, 0)::text as stored_credits,
    coalesce(e.debits, 0)::text as entered_debits, coalesce(e.credits, 0)::text as entered_credits
  from stored b full join entered e using (mer_no, account, currency)
  where coalesce(b.debits, 0) <> coalesce(e.debits, 0) or coalesce(b.credits, 0) <> coalesce(e.credits, 0)
  order by mer_no, account, currency
  limit 1000`

const entrySums = listOf<EntrySum>(
  {
    mer_no: int8((one) => one.mer_no),
    debit: text((one) => one.debit),
    credit: text((one) => one.credit),
    currency: text((one) => one.currency),
    amount: numeric(({ sums: [, amount] }) => amount),
  },
  3,
)

export async function countEntries(db: Queryable): Promise<number> {
  const [row] = await db.query<{ entries: bigint }>({
    text: 'select coalesce(sum(cardinality(steps)), 0)::bigint as entries from bookings',
  })
  return Number(row?.entries ?? 0)
}

export async function countAccounts(db: Queryable, { first, last }: MerchantRange): Promise<number> {
  const [row] = await db.query<{ accounts: bigint }>({
    text: 'select count(*) as accounts from exact_balances where mer_no between $1 and $2',
    values: [first, last],
  })
  return Number(row?.accounts ?? 0)
}

export type SubjectKey = { readonly merNo: number; readonly subject: string }
export type RailDebit = { readonly subject: string; readonly currency: string; readonly amount: bigint }

/**
 * Selects the amounts that payments debited to their channels' accounts. Accepted suspense money is not included,
 * because its payment debits the suspense account.
 */
export function selectRailDebits(db: Queryable, subjects: readonly SubjectKey[]): Promise<RailDebit[]> {
  return db.query<RailDebit>({
    text: `
      select e.subject, e.currency, sum(e.amount)::bigint as amount
      from ${subjectsGiven.text} join ledger_entries e using (mer_no, subject)
      where e.step in ('payment', 'review') and starts_with(e.debit, 'rail:')
      group by e.subject, e.currency`,
    values: subjectsGiven.values(subjects),
  })
}

const subjectsGiven = listOf<SubjectKey>({
  mer_no: int8((one) => one.merNo),
  subject: text((one) => one.subject),
})
