// The queries of a merchant's statement. A BRIN index finds the bookings of a period. A B-tree index on merchant and
// time would halve the time of this monthly report, but in a test it made bookings 38 % slower.
import type { Tx } from '../../platform/postgres/db.ts'
import { arrayOf, itself, text } from '../../platform/postgres/lists.ts'
import { readInPieces } from '../../platform/postgres/read-in-pieces.ts'
import { balancesOfOne } from './balance-sql.ts'

/** Accounts of one merchant in one currency, in a period. `until` is exclusive. */
export type Span = {
  readonly merNo: number
  readonly currency: string
  readonly from: Date
  readonly until: Date
  readonly accounts: readonly string[]
}

export type Movement = {
  readonly at: Date
  readonly account: string
  readonly counter: string
  readonly subject: string
  readonly step: string
  /** The change of the balance. Above zero, the balance grows. */
  readonly amount: bigint
}

const listed = arrayOf(text<string>(itself), 4)

// An entry between two of the accounts is selected twice: as a movement of each account.
const movementsText = `
  select at, subject, step, credit as account, debit as counter, amount from ledger_entries
  where mer_no = $1 and currency = $2 and at >= $3 and credit = any (${listed.text})
  union all
  select at, subject, step, debit, credit, -amount from ledger_entries
  where mer_no = $1 and currency = $2 and at >= $3 and debit = any (${listed.text})`

/** Returns the balances at `span.from`: the current balances less all movements since. Earlier entries are not read. */
export async function selectOpening(tx: Tx, span: Span): Promise<Map<string, bigint>> {
  const rows = await tx.query<{ account: string; amount: string }>({
    text: `
      select account, sum(amount)::text as amount from (
        select account, credits - debits as amount from ${balancesOfOne}
        where currency = $2 and account = any (${listed.text})
        union all
        select account, -amount from (${movementsText}) as moved where at >= $3
      ) as parts
      group by account`,
    values: [span.merNo, span.currency, span.from, listed.value(span.accounts)],
  })
  return new Map(rows.map(({ account, amount }) => [account, BigInt(amount)]))
}

export function readMovements(tx: Tx, span: Span): AsyncGenerator<Movement[]> {
  return readInPieces<Movement>(tx, {
    text: `
      select at, account, counter, subject, step, amount from (${movementsText}) as moved
      where at < $5
      order by at, subject, step, account`,
    values: [span.merNo, span.currency, span.from, listed.value(span.accounts), span.until],
  })
}

export type StepSum = {
  readonly account: string
  /** The kind of step: the step's text before its first colon. */
  readonly step: string
  readonly entries: number
  readonly amount: bigint
}

export async function selectStepSums(tx: Tx, span: Span): Promise<StepSum[]> {
  const rows = await tx.query<{ account: string; step: string; entries: number; amount: string }>({
    text: `
      select account, split_part(step, ':', 1) as step, count(*)::int as entries, sum(amount)::text as amount
      from (${movementsText}) as moved where at < $5
      group by 1, 2 order by 1, 2`,
    values: [span.merNo, span.currency, span.from, listed.value(span.accounts), span.until],
  })
  return rows.map(({ account, step, entries, amount }) => ({
    account,
    step,
    entries,
    amount: BigInt(amount),
  }))
}

export type FeeSum = Omit<StepSum, 'account'> & { readonly currency: string }

/** Sums the platform's income from the merchant. A fee that was given back counts as a negative amount. */
export async function selectFees(
  tx: Tx,
  { merNo, from, until }: Pick<Span, 'merNo' | 'from' | 'until'>,
  account: string,
): Promise<FeeSum[]> {
  const rows = await tx.query<{ currency: string; step: string; entries: number; amount: string }>({
    text: `
      select currency, split_part(step, ':', 1) as step, count(*)::int as entries,
        sum(case when credit = $4 then amount else -amount end)::text as amount
      from ledger_entries
      where mer_no = $1 and at >= $2 and at < $3 and $4 in (debit, credit)
      group by 1, 2 order by 1, 2`,
    values: [merNo, from, until, account],
  })
  return rows.map(({ currency, step, entries, amount }) => ({
    currency,
    step,
    entries,
    amount: BigInt(amount),
  }))
}
