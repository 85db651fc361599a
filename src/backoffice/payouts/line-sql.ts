// Owns payout_run_lines.
import type { Money } from '../../base/money.ts'
import type { Claim } from '../../concurrency/claim-loop.ts'
import type { Queryable, Tx } from '../../postgres/db.ts'
import { bytes, int4, int8, listOf, text, time } from '../../postgres/lists.ts'

export type LineKey = { readonly merNo: number; readonly runId: string; readonly lineNo: number }

export type NewLine = LineKey & {
  readonly merOrderNo: string
  readonly money: Money
  readonly kind: string
  readonly beneficiary: string
  readonly accountMasked: string
  readonly sealed: Buffer
  readonly askAt: Date | undefined
}

export async function insertLines(tx: Tx, lines: readonly NewLine[]): Promise<void> {
  await tx.query({
    text: `
      insert into payout_run_lines (mer_no, run_id, line_no, mer_order_no, currency, amount, kind, beneficiary,
        account_masked, sealed, state, ask_at)
      select mer_no, run_id, line_no, mer_order_no, currency, amount, kind, beneficiary, account_masked, sealed,
        'waiting', ask_at
      from ${inserted.text}`,
    values: inserted.values(lines),
  })
}

const inserted = listOf<NewLine>({
  mer_no: int8((one) => one.merNo),
  run_id: text((one) => one.runId),
  line_no: int4((one) => one.lineNo),
  mer_order_no: text((one) => one.merOrderNo),
  currency: text((one) => one.money.currency),
  amount: int8((one) => one.money.amount),
  kind: text((one) => one.kind),
  beneficiary: text((one) => one.beneficiary),
  account_masked: text((one) => one.accountMasked),
  sealed: bytes((one) => one.sealed),
  ask_at: time((one) => one.askAt),
})

export async function releaseLines(tx: Tx, merNo: number, runId: string, at: Date): Promise<void> {
  await tx.query({
    text: `update payout_run_lines set ask_at = $3 where mer_no = $1 and run_id = $2 and state = 'waiting'`,
    values: [merNo, runId, at],
  })
}

export async function rejectLines(tx: Tx, merNo: number, runId: string): Promise<void> {
  await tx.query({
    text: `update payout_run_lines set state = 'rejected', sealed = null, ask_at = null
      where mer_no = $1 and run_id = $2 and state = 'waiting'`,
    values: [merNo, runId],
  })
}

/**
 * Ends the lines of runs of before `expiredUntil` that nobody approved, and with them their accounts. A line that is released
 * at this moment has its time in `ask_at`, and stays.
 */
export async function endExpiredLines(db: Queryable, expiredUntil: Date): Promise<void> {
  await db.query({
    text: `update payout_run_lines l set state = 'rejected', sealed = null from payout_runs r
      where r.mer_no = l.mer_no and r.run_id = l.run_id and l.state = 'waiting' and l.ask_at is null
        and r.state = 'waiting' and r.created_at <= $1`,
    values: [expiredUntil],
  })
}

export type DueLine = LineKey & { readonly merOrderNo: string; readonly sealed: Buffer }

/** Claims released lines, each with a lease. */
export async function claimLines(db: Queryable, { now, leaseUntil, limit }: Claim): Promise<DueLine[]> {
  const rows = await db.query<{
    mer_no: bigint
    run_id: string
    line_no: number
    mer_order_no: string
    sealed: Buffer
  }>({
    text: `
      update payout_run_lines set ask_at = $2
      where (mer_no, run_id, line_no) in (
        select mer_no, run_id, line_no from payout_run_lines
        where ask_at <= $1 order by ask_at limit $3 for update skip locked)
      returning mer_no, run_id, line_no, mer_order_no, sealed`,
    values: [now, leaseUntil, limit],
  })
  return rows.map((row) => ({
    merNo: Number(row.mer_no),
    runId: row.run_id,
    lineNo: row.line_no,
    merOrderNo: row.mer_order_no,
    sealed: row.sealed,
  }))
}

export type LineResult =
  | { readonly state: 'made'; readonly tradeNo: string }
  | { readonly state: 'refused'; readonly problem: string }

/** A line is decided once; its account is then stored with the payout only. */
export async function decideLine(
  db: Queryable,
  { merNo, runId, lineNo }: LineKey,
  result: LineResult,
): Promise<void> {
  const tradeNo = result.state === 'made' ? result.tradeNo : null
  const problem = result.state === 'refused' ? result.problem : null
  await db.query({
    text: `update payout_run_lines set state = $4, trade_no = $5, problem = $6, sealed = null, ask_at = null
      where mer_no = $1 and run_id = $2 and line_no = $3 and state = 'waiting'`,
    values: [merNo, runId, lineNo, result.state, tradeNo, problem],
  })
}

export type RunLine = {
  readonly lineNo: number
  readonly merOrderNo: string
  readonly money: Money
  readonly kind: string
  readonly beneficiary: string
  readonly accountMasked: string
  readonly state: 'waiting' | 'made' | 'refused' | 'rejected'
  readonly tradeNo: string | undefined
  readonly problem: string | undefined
}

export async function selectLines(db: Queryable, merNo: number, runId: string): Promise<RunLine[]> {
  const rows = await db.query<{
    line_no: number
    mer_order_no: string
    currency: string
    amount: bigint
    kind: string
    beneficiary: string
    account_masked: string
    state: RunLine['state']
    trade_no: string | null
    problem: string | null
  }>({
    text: `select line_no, mer_order_no, currency, amount, kind, beneficiary, account_masked, state, trade_no, problem
      from payout_run_lines where mer_no = $1 and run_id = $2 order by line_no`,
    values: [merNo, runId],
  })
  return rows.map((row) => ({
    lineNo: row.line_no,
    merOrderNo: row.mer_order_no,
    money: { amount: row.amount, currency: row.currency },
    kind: row.kind,
    beneficiary: row.beneficiary,
    accountMasked: row.account_masked,
    state: row.state,
    tradeNo: row.trade_no ?? undefined,
    problem: row.problem ?? undefined,
  }))
}
