// Owns statement_lines, and reads their attempts and deposits.

import type { AttemptKey } from '../orders/keys.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { arrayOf, day, int4, int8, itself, listOf, text } from '../postgres/lists.ts'

export type ListedLine = AttemptKey & {
  readonly day: string
  readonly currency: string
  readonly amount: bigint
  /** Distinguishes equal lines of one file. */
  readonly occurrence: number
  readonly line: number
}

/** Stores lines that no earlier file contained. */
export async function storeLines(tx: Tx, lines: readonly ListedLine[]): Promise<void> {
  await tx.query({
    text: `
      insert into statement_lines (mer_no, trade_no, attempt_no, day, currency, amount, occurrence, line)
      select mer_no, trade_no, attempt_no, day, currency, amount, occurrence, line
      from ${remembered.text}
      order by mer_no, trade_no, attempt_no, day, currency, amount, occurrence
      on conflict do nothing`,
    values: remembered.values(lines),
  })
}

const remembered = listOf<ListedLine>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  attempt_no: int4((one) => one.attemptNo),
  day: day((one) => one.day),
  currency: text((one) => one.currency),
  amount: int8((one) => one.amount),
  occurrence: int4((one) => one.occurrence),
  line: int4((one) => one.line),
})

const keyed = listOf<AttemptKey>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  attempt_no: int4((one) => one.attemptNo),
})

/** All stored lines of the attempts, by day. */
export async function selectLines(tx: Tx, attempts: readonly AttemptKey[]): Promise<ListedLine[]> {
  const rows = await tx.query<{
    mer_no: bigint
    trade_no: string
    attempt_no: number
    day: string
    currency: string
    amount: bigint
    occurrence: number
    line: number
  }>({
    text: `
      select l.mer_no, l.trade_no, l.attempt_no, l.day::text as day, l.currency, l.amount, l.occurrence, l.line
      from ${keyed.text}
      join statement_lines l using (mer_no, trade_no, attempt_no)
      order by l.mer_no, l.trade_no, l.attempt_no, l.day, l.line, l.occurrence`,
    values: keyed.values(attempts),
  })
  return rows.map(({ mer_no: merNo, trade_no: tradeNo, attempt_no: attemptNo, ...row }) => {
    return { merNo: Number(merNo), tradeNo, attemptNo, ...row }
  })
}

/** The attempts that succeeded. */
export async function selectSucceeded(tx: Tx, attempts: readonly AttemptKey[]): Promise<AttemptKey[]> {
  const rows = await tx.query<{ mer_no: bigint; trade_no: string; attempt_no: number }>({
    text: `
      select a.mer_no, a.trade_no, a.attempt_no
      from ${keyed.text} join current_attempts a using (mer_no, trade_no, attempt_no)
      where a.state = 'succeeded'`,
    values: keyed.values(attempts),
  })
  return rows.map((row) => ({
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    attemptNo: row.attempt_no,
  }))
}

/** Deposits that the channel reported for an attempt in one currency. */
export type DepositSum = {
  readonly tradeNo: string
  readonly attemptNo: number
  readonly currency: string
  readonly inSuspense: bigint
  readonly taken: bigint
  readonly amounts: readonly bigint[]
}

export async function selectDepositSums(tx: Tx, attempts: readonly AttemptKey[]): Promise<DepositSum[]> {
  const rows = await tx.query<{
    trade_no: string
    attempt_no: number
    currency: string
    in_suspense: bigint
    taken: bigint
    amounts: string
  }>({
    text: `
      select d.trade_no, d.attempt_no, d.currency,
        coalesce(sum(d.amount) filter (where d.state = 'suspense'), 0)::bigint as in_suspense,
        coalesce(sum(d.amount) filter (where d.state = 'taken'), 0)::bigint as taken,
        string_agg(d.amount::text, ',') as amounts
      from ${keyed.text} join deposits d using (mer_no, trade_no, attempt_no)
      group by d.trade_no, d.attempt_no, d.currency`,
    values: keyed.values(attempts),
  })
  return rows.map((row) => ({
    tradeNo: row.trade_no,
    attemptNo: row.attempt_no,
    currency: row.currency,
    inSuspense: row.in_suspense,
    taken: row.taken,
    amounts: row.amounts.split(',').map(BigInt),
  }))
}

/** Our references of the deposits' attempts, by the channel's references of the deposits. */
export async function selectDepositAttempts(
  db: Queryable,
  channel: string,
  depositRefs: readonly string[],
): Promise<Map<string, string>> {
  if (depositRefs.length === 0) return new Map()
  const rows = await db.query<{ deposit_ref: string; reference: string }>({
    text: `select deposit_ref, reference from deposit_owners where channel = $1 and deposit_ref = any (${refs.text})`,
    values: [channel, refs.value(depositRefs)],
  })
  return new Map(rows.map((row) => [row.deposit_ref, row.reference]))
}

const refs = arrayOf(text<string>(itself), 2)
