import type { Queryable, Statement } from '../postgres/db.ts'
import { given, int8, text, time } from '../postgres/lists.ts'
import type { Entry } from './post-entries.ts'

export function insertEntries(entries: readonly Entry[]): Statement {
  return { name: 'ledger.insert-entries', text: insertEntriesText, values: entered.values(entries) }
}

const entered = given<Entry>({
  mer_no: int8((one) => one.merNo),
  subject: text((one) => one.subject),
  step: text((one) => one.step),
  debit: text((one) => one.debit),
  credit: text((one) => one.credit),
  currency: text((one) => one.money.currency),
  amount: int8((one) => one.money.amount),
  at: time((one) => one.at),
})

const insertEntriesText = `
  insert into ledger_entries (mer_no, subject, step, debit, credit, currency, amount, at)
  select mer_no, subject, step, debit, credit, currency, amount, at from ${entered.text}`

export type DifferenceRow = {
  mer_no: bigint
  account: string
  currency: string
  stored_debits: string
  stored_credits: string
  entered_debits: string
  entered_credits: string
}

/** Accounts whose stored balance is not the sum of their entries, on either side. */
export function selectDifferences(db: Queryable): Promise<DifferenceRow[]> {
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
        coalesce(b.debits, 0)::text as stored_debits, coalesce(b.credits, 0)::text as stored_credits,
        coalesce(e.debits, 0)::text as entered_debits, coalesce(e.credits, 0)::text as entered_credits
      from exact_balances b full join entered e using (mer_no, account, currency)
      where coalesce(b.debits, 0) <> coalesce(e.debits, 0) or coalesce(b.credits, 0) <> coalesce(e.credits, 0)
      order by mer_no, account, currency
      limit 1000`,
  })
}

export async function countLedger(db: Queryable): Promise<{ entries: number; accounts: number }> {
  const [row] = await db.query<{ entries: bigint; accounts: bigint }>({
    text: 'select (select count(*) from ledger_entries) as entries, (select count(*) from exact_balances) as accounts',
  })
  return { entries: Number(row?.entries ?? 0), accounts: Number(row?.accounts ?? 0) }
}
