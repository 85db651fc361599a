import type { Db, Queryable, Tx } from '../base/db.ts'
import type { Entry } from './post-entries.ts'

export async function insertEntries(tx: Tx, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map((entry) => ({
    mer_no: entry.merNo,
    subject: entry.subject,
    step: entry.step,
    debit: entry.debit,
    credit: entry.credit,
    currency: entry.money.currency,
    amount: entry.money.amount.toString(),
    at: entry.at,
  }))
  await tx.query({ name: 'ledger.insert-entries', text: insertEntriesText, values: [JSON.stringify(rows)] })
}

// The balances are written in key order, so that two batches meet on them in the same order and never deadlock.
const insertEntriesText = `
  with given as (
    select mer_no, subject, step, debit, credit, currency, amount, at
    from json_to_recordset($1) as e (
      mer_no bigint, subject text, step text, debit text, credit text, currency text, amount bigint, at timestamptz)
  ), entered as (
    insert into ledger_entries (mer_no, subject, step, debit, credit, currency, amount, at)
    select mer_no, subject, step, debit, credit, currency, amount, at from given
  ), sides as (
    select mer_no, debit as account, currency, amount as debits, 0 as credits from given
    union all
    select mer_no, credit, currency, 0, amount from given
  )
  insert into balances as b (mer_no, account, currency, debits, credits)
  select mer_no, account, currency, sum(debits), sum(credits) from sides
  group by mer_no, account, currency
  order by mer_no, account, currency
  on conflict (mer_no, account, currency)
  do update set debits = b.debits + excluded.debits, credits = b.credits + excluded.credits`

export type DifferenceRow = {
  mer_no: bigint
  account: string
  currency: string
  kept_debits: string
  kept_credits: string
  entered_debits: string
  entered_credits: string
}

/** Accounts whose kept balance is not the sum of their entries, on either side. */
export function selectDifferences(db: Db): Promise<DifferenceRow[]> {
  return db.query<DifferenceRow>({
    text: `
      with sides as (
        select mer_no, debit as account, currency, amount as debits, 0 as credits from ledger_entries
        union all
        select mer_no, credit, currency, 0, amount from ledger_entries
      ), entered as (
        select mer_no, account, currency, sum(debits) as debits, sum(credits) as credits from sides
        group by mer_no, account, currency
      )
      select mer_no, account, currency,
        coalesce(b.debits, 0)::text as kept_debits, coalesce(b.credits, 0)::text as kept_credits,
        coalesce(e.debits, 0)::text as entered_debits, coalesce(e.credits, 0)::text as entered_credits
      from balances b full join entered e using (mer_no, account, currency)
      where coalesce(b.debits, 0) <> coalesce(e.debits, 0) or coalesce(b.credits, 0) <> coalesce(e.credits, 0)
      order by mer_no, account, currency
      limit 1000`,
  })
}

export async function countLedger(db: Queryable): Promise<{ entries: number; accounts: number }> {
  const [row] = await db.query<{ entries: bigint; accounts: bigint }>({
    text: 'select (select count(*) from ledger_entries) as entries, (select count(*) from balances) as accounts',
  })
  return { entries: Number(row?.entries ?? 0), accounts: Number(row?.accounts ?? 0) }
}
