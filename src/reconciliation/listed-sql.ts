// Owns statement_lines, and reads their attempts.

import { type AttemptKey, attemptKeys } from '../orders/order.ts'
import type { Tx } from '../postgres/db.ts'
import { day, int4, int8, listOf, text } from '../postgres/lists.ts'

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
      from ${attemptKeys.text}
      join statement_lines l using (mer_no, trade_no, attempt_no)
      order by l.mer_no, l.trade_no, l.attempt_no, l.day, l.line, l.occurrence`,
    values: attemptKeys.values(attempts),
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
      from ${attemptKeys.text} join current_attempts a using (mer_no, trade_no, attempt_no)
      where a.state = 'succeeded'`,
    values: attemptKeys.values(attempts),
  })
  return rows.map((row) => ({
    merNo: Number(row.mer_no),
    tradeNo: row.trade_no,
    attemptNo: row.attempt_no,
  }))
}
