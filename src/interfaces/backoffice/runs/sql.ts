import type { Queryable } from '../../../platform/postgres/db.ts'

export type RunRow = {
  readonly run_id: string
  readonly kind: string
  readonly state: 'running' | 'done' | 'failed'
  readonly started_by: string
  readonly started_at: Date
  readonly seen_at: Date
  readonly ended_at: Date | null
  readonly progress: Readonly<Record<string, unknown>>
  readonly result: Readonly<Record<string, unknown>> | null
}

/** Returns false if another run of this kind is in progress. */
export async function insertRun(
  db: Queryable,
  run: { readonly runId: string; readonly kind: string; readonly by: string; readonly at: Date },
): Promise<boolean> {
  const rows = await db.query({
    text: `
      insert into operator_runs (mer_no, run_id, kind, state, started_by, started_at, seen_at, progress)
      values (0, $1, $2, 'running', $3, $4, $4, '{}')
      on conflict (kind) where state = 'running' do nothing
      returning run_id`,
    values: [run.runId, run.kind, run.by, run.at],
  })
  return rows.length > 0
}

export async function updateProgress(
  db: Queryable,
  runId: string,
  at: Date,
  progress: object,
): Promise<void> {
  await db.query({
    text: `update operator_runs set seen_at = $2, progress = $3
      where mer_no = 0 and run_id = $1 and state = 'running'`,
    values: [runId, at, JSON.stringify(progress)],
  })
}

export async function endRun(
  db: Queryable,
  runId: string,
  { state, at, result }: { readonly state: 'done' | 'failed'; readonly at: Date; readonly result: object },
): Promise<void> {
  await db.query({
    text: `update operator_runs set state = $2, ended_at = $3, seen_at = $3, result = $4
      where mer_no = 0 and run_id = $1 and state = 'running'`,
    values: [runId, state, at, JSON.stringify(result)],
  })
}

export async function endSilentRuns(db: Queryable, silentSince: Date, at: Date): Promise<void> {
  await db.query({
    text: `update operator_runs set state = 'failed', ended_at = $2, result = $3
      where state = 'running' and seen_at < $1`,
    values: [silentSince, at, JSON.stringify({ error: 'The node that ran it stopped. Start it again.' })],
  })
}

export async function selectRuns(db: Queryable, kind: string, limit: number): Promise<RunRow[]> {
  return await db.query<RunRow>({
    text: `
      select run_id, kind, state, started_by, started_at, seen_at, ended_at, progress, result
      from operator_runs where kind = $1 order by run_id desc limit $2`,
    values: [kind, limit],
  })
}
