// Owns payout_runs and payout_settings; payout_run_lines are in line-sql.ts.
import type { Money } from '../../base/money.ts'
import { containsAnyCase } from '../../postgres/any-case.ts'
import type { Queryable, Tx } from '../../postgres/db.ts'

export type RunState = 'waiting' | 'released' | 'rejected'

export type Run = {
  readonly merNo: number
  readonly runId: string
  readonly name: string
  readonly state: RunState
  readonly reason: string
  readonly createdBy: string
  readonly createdAt: Date
}

export type NewRun = Run & { readonly requestKey: string }

/** False if the same request made one before. */
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

/** Newest first. */
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

/** Newest first, by part of the name. Only the newest are looked through, so that any number is as fast. */
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

/** Order numbers of payouts that wait to be made. Runs of before `expiredUntil` that nobody approved keep none. */
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

export type PayoutSettings = {
  /** In US cents; undefined: no amount needs a second person. */
  readonly secondPersonAbove: bigint | undefined
  /** 0 before they were first changed. */
  readonly version: number
}

export async function selectSettings(db: Queryable, merNo: number): Promise<PayoutSettings> {
  const [row] = await db.query<{ second_person_above: bigint | null; version: number }>({
    text: 'select second_person_above, version from payout_settings where mer_no = $1',
    values: [merNo],
  })
  return { secondPersonAbove: row?.second_person_above ?? undefined, version: row?.version ?? 0 }
}

/** The new version; undefined if somebody else changed them meanwhile. */
export async function writeSettings(
  tx: Tx,
  merNo: number,
  { secondPersonAbove, version }: PayoutSettings,
  at: Date,
): Promise<number | undefined> {
  const [row] = await tx.query<{ version: number }>({
    text: `
      insert into payout_settings as s (mer_no, second_person_above, version, changed_at)
      select $1, $2, 1, $4 where $3 = 0 or exists (select from payout_settings where mer_no = $1)
      on conflict (mer_no) do update set second_person_above = $2, version = s.version + 1, changed_at = $4
        where s.version = $3
      returning version`,
    values: [merNo, secondPersonAbove ?? null, version, at],
  })
  return row?.version
}
