// All statements that write the tables payout_runs and payout_run_lines.
import type { Money } from '../../../platform/base/money.ts'
import type { Claim } from '../../../platform/concurrency/claim-loop.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { bytes, int4, int8, listOf, text, time } from '../../../platform/postgres/lists.ts'
import { containsAnyCase } from '../../../platform/postgres/texts.ts'

type RunState = 'waiting' | 'released' | 'rejected'

type Run = {
  readonly merNo: number
  readonly runId: string
  readonly name: string
  readonly state: RunState
  readonly reason: string
  readonly createdBy: string
  readonly createdAt: Date
}

export type NewRun = Run & { readonly requestKey: string }

/** Returns false if a run with the same idempotency key exists. */
export async function insertRun(tx: Tx, run: NewRun): Promise<boolean> {
  const { merNo, runId, requestKey, name, state, reason, createdBy, createdAt } = run
  const rows = await tx.query({
    text: `
      insert into payout_runs (mer_no, run_id, request_key, name, state, reason, created_by, created_at, released_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, case when $5 = 'released' then $8::timestamptz end)
      on conflict (mer_no, request_key) do nothing returning run_id`,
    values: [merNo, runId, requestKey, name, state, reason, createdBy, createdAt],
  })
  return rows.length === 1
}

export async function selectRunByKey(
  db: Queryable,
  merNo: number,
  requestKey: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ run_id: string }>({
    text: 'select run_id from payout_runs where mer_no = $1 and request_key = $2',
    values: [merNo, requestKey],
  })
  return row?.run_id
}

export async function decideRun(
  tx: Tx,
  { merNo, runId }: Pick<Run, 'merNo' | 'runId'>,
  state: 'released' | 'rejected',
  at: Date,
): Promise<boolean> {
  const rows = await tx.query({
    text: `update payout_runs set state = $3, released_at = case when $3 = 'released' then $4::timestamptz end
      where mer_no = $1 and run_id = $2 and state = 'waiting' returning run_id`,
    values: [merNo, runId, state, at],
  })
  return rows.length === 1
}

export type RunSummary = Run & {
  readonly lines: number
  readonly waiting: number
  readonly made: number
  readonly refused: number
  readonly totals: readonly Money[]
}

type RunRow = {
  mer_no: bigint
  run_id: string
  name: string
  state: RunState
  reason: string
  created_by: string
  created_at: Date
  lines: number
  waiting: number
  made: number
  refused: number
  totals: readonly { currency: string; amount: string }[] | null
}

const summaryText = (where: string) => `
  select r.mer_no, r.run_id, r.name, r.state, r.reason, r.created_by, r.created_at, l.lines, l.waiting, l.made,
    l.refused, t.totals
  from payout_runs r
  cross join lateral (
    select count(*)::int as lines, count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'made')::int as made, count(*) filter (where state = 'refused')::int as refused
    from payout_run_lines where mer_no = r.mer_no and run_id = r.run_id
  ) l
  cross join lateral (
    select json_agg(json_build_object('currency', currency, 'amount', amount::text) order by currency) as totals from (
      select currency, sum(amount) as amount from payout_run_lines
      where mer_no = r.mer_no and run_id = r.run_id group by currency
    ) sums
  ) t
  where ${where}
  order by r.run_id desc`

function toSummary(row: RunRow): RunSummary {
  return {
    merNo: Number(row.mer_no),
    runId: row.run_id,
    name: row.name,
    state: row.state,
    reason: row.reason,
    createdBy: row.created_by,
    createdAt: row.created_at,
    lines: row.lines,
    waiting: row.waiting,
    made: row.made,
    refused: row.refused,
    totals: (row.totals ?? []).map(({ currency, amount }) => ({ currency, amount: BigInt(amount) })),
  }
}

export async function selectRuns(
  db: Queryable,
  merNo: number,
  after: string | undefined,
  limit: number,
): Promise<RunSummary[]> {
  const rows = await db.query<RunRow>({
    text: `${summaryText('r.mer_no = $1 and ($2::text is null or r.run_id < $2)')} limit $3`,
    values: [merNo, after ?? null, limit],
  })
  return rows.map(toSummary)
}

const NEWEST_SEARCHED = 1_000

/** Searches only the newest rows, so that the cost has a bound. */
export function searchRuns(
  db: Queryable,
  merNo: number,
  part: string,
  limit: number,
): Promise<{ readonly runId: string; readonly name: string; readonly state: string }[]> {
  return db.query({
    text: `
      select run_id as "runId", name, state from (
        select run_id, name, state from payout_runs where mer_no = $1 order by run_id desc limit ${NEWEST_SEARCHED}
      ) newest
      where name ~ $2
      order by run_id desc limit $3`,
    values: [merNo, containsAnyCase(part), limit],
  })
}

export async function selectRun(
  db: Queryable,
  merNo: number,
  runId: string,
): Promise<RunSummary | undefined> {
  const [row] = await db.query<RunRow>({
    text: summaryText('r.mer_no = $1 and r.run_id = $2'),
    values: [merNo, runId],
  })
  return row && toSummary(row)
}

/**
 * Returns the order numbers of lines that wait for approval or for the worker. A run that was created at `expiredUntil`
 * or before and was never approved has expired, so its numbers may be used again.
 */
export async function selectWaitingNumbers(
  db: Queryable,
  merNo: number,
  expiredUntil: Date,
): Promise<Set<string>> {
  const rows = await db.query<{ mer_order_no: string }>({
    text: `select l.mer_order_no from payout_run_lines l join payout_runs r using (mer_no, run_id)
      where mer_no = $1 and l.state = 'waiting' and (r.state <> 'waiting' or r.created_at > $2)`,
    values: [merNo, expiredUntil],
  })
  return new Set(rows.map((row) => row.mer_order_no))
}

type LineKey = { readonly merNo: number; readonly runId: string; readonly lineNo: number }

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
 * Rejects the lines of expired runs and deletes the lines' accounts. A line that has `ask_at` is skipped, because an
 * approval has released it.
 */
export async function endExpiredLines(db: Queryable, expiredUntil: Date): Promise<void> {
  await db.query({
    text: `update payout_run_lines l set state = 'rejected', sealed = null from payout_runs r
      where r.mer_no = l.mer_no and r.run_id = l.run_id and l.state = 'waiting' and l.ask_at is null
        and r.state = 'waiting' and r.created_at <= $1`,
    values: [expiredUntil],
  })
}

export async function selectSealed(
  tx: Tx,
  merNo: number,
  runId: string,
): Promise<{ readonly lineNo: number; readonly sealed: Buffer }[]> {
  return tx.query({
    text: `select line_no as "lineNo", sealed from payout_run_lines
      where mer_no = $1 and run_id = $2 and state = 'waiting' and sealed is not null order by line_no`,
    values: [merNo, runId],
  })
}

export type DueLine = LineKey & {
  readonly merOrderNo: string
  readonly sealed: Buffer
  readonly createdBy: string
}

/** Claims due lines. While a line is claimed, its `ask_at` is the end of the lease. */
export async function claimLines(db: Queryable, { now, leaseUntil, limit }: Claim): Promise<DueLine[]> {
  const rows = await db.query<{
    mer_no: bigint
    run_id: string
    line_no: number
    mer_order_no: string
    sealed: Buffer
    created_by: string
  }>({
    text: `
      update payout_run_lines l set ask_at = $2 from payout_runs r
      where r.mer_no = l.mer_no and r.run_id = l.run_id and (l.mer_no, l.run_id, l.line_no) in (
        select mer_no, run_id, line_no from payout_run_lines
        where ask_at <= $1 order by ask_at limit $3 for update skip locked)
      returning l.mer_no, l.run_id, l.line_no, l.mer_order_no, l.sealed, r.created_by`,
    values: [now, leaseUntil, limit],
  })
  return rows.map((row) => ({
    merNo: Number(row.mer_no),
    runId: row.run_id,
    lineNo: row.line_no,
    merOrderNo: row.mer_order_no,
    sealed: row.sealed,
    createdBy: row.created_by,
  }))
}

export type LineResult =
  | { readonly state: 'made'; readonly tradeNo: string }
  | { readonly state: 'refused'; readonly problem: string }

/** Stores the result of a line and deletes the line's account. A line that already has a result stays unchanged. */
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

export type RunKey = { readonly merNo: number; readonly runId: string }

export type RunLine = RunKey & {
  readonly lineNo: number
  readonly merOrderNo: string
  readonly money: Money
  readonly kind: string
  readonly beneficiary: string
  readonly accountMasked: string
  readonly state: 'waiting' | 'made' | 'refused' | 'rejected'
  readonly tradeNo: string | undefined
  readonly problem: string | undefined
  /** The encrypted fields of a line that waits. Undefined for other lines. */
  readonly sealed: Buffer | undefined
}

type RunLineRow = {
  mer_no: bigint
  run_id: string
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
  sealed: Buffer | null
}

const lineColumns = `l.mer_no, l.run_id, l.line_no, l.mer_order_no, l.currency, l.amount, l.kind, l.beneficiary,
  l.account_masked, l.state, l.trade_no, l.problem, l.sealed`

export async function selectLines(db: Queryable, merNo: number, runId: string): Promise<RunLine[]> {
  const rows = await db.query<RunLineRow>({
    text: `select ${lineColumns} from payout_run_lines l where l.mer_no = $1 and l.run_id = $2 order by l.line_no`,
    values: [merNo, runId],
  })
  return rows.map(toRunLine)
}

/** Returns the first lines of each run, at most `limit` per run. */
export async function selectFirstLines(
  db: Queryable,
  runs: readonly RunKey[],
  limit: number,
): Promise<RunLine[]> {
  const rows = await db.query<RunLineRow>({
    text: `select ${lineColumns} from ${someRuns.text} cross join lateral (
        select * from payout_run_lines where mer_no = g.mer_no and run_id = g.run_id
        order by line_no limit ${someRuns.next}
      ) l
      order by l.run_id, l.line_no`,
    values: [...someRuns.values(runs), limit],
  })
  return rows.map(toRunLine)
}

const someRuns = listOf<RunKey>({ mer_no: int8((one) => one.merNo), run_id: text((one) => one.runId) })

function toRunLine(row: RunLineRow): RunLine {
  return {
    merNo: Number(row.mer_no),
    runId: row.run_id,
    lineNo: row.line_no,
    merOrderNo: row.mer_order_no,
    money: { amount: row.amount, currency: row.currency },
    kind: row.kind,
    beneficiary: row.beneficiary,
    accountMasked: row.account_masked,
    state: row.state,
    tradeNo: row.trade_no ?? undefined,
    problem: row.problem ?? undefined,
    sealed: row.sealed ?? undefined,
  }
}
