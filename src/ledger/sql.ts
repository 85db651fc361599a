import type { Queryable } from '../postgres/db.ts'
import { int8, listOf, text } from '../postgres/lists.ts'

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

export type SubjectKey = { readonly merNo: number; readonly subject: string }
export type RailDebit = { readonly subject: string; readonly currency: string; readonly amount: bigint }

/** Money that was accepted out of suspense is not debited to a rail a second time. */
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
