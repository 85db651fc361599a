// A run is a long task that a person starts and that one node executes in the background. The run's row shows its
// progress. If the node stops, nobody updates the row any more, and the run counts as failed.
import { PLATFORM } from '../../../people/roles/permissions.ts'
import type { Actor, AuditEntry } from '../../../platform/audit-log/entry.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import type { Clock } from '../../../platform/base/clock.ts'
import { makeId } from '../../../platform/base/id.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { endRun, endSilentRuns, insertRun, type RunRow, updateProgress } from './sql.ts'

export type RunDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly log: { error(details: object, message: string): void }
}

const WRITE_EVERY_MS = 1_000
export const SILENT_MS = 60_000

type Report = (progress: Readonly<Record<string, unknown>>) => void

export type Work = (report: Report) => Promise<Readonly<Record<string, unknown>>>

export type RunStart = {
  readonly kind: string
  readonly by: Actor
  /** Set if the start is to be written to the audit log. */
  readonly audit?: Pick<AuditEntry, 'action' | 'after' | 'reason'> & Partial<Pick<AuditEntry, 'merNo'>>
}

/** Starts a run and returns its id. Does not wait for the run's end. */
export async function startRun(deps: RunDeps, start: RunStart, work: Work): Promise<string> {
  const { runId, ended } = await beginRun(deps, start, work)
  ended.catch((err: unknown) => deps.log.error({ err, runId }, 'the end of a run could not be written'))
  return runId
}

export type BegunRun = {
  readonly runId: string
  /** Resolves when the end of the run is stored. Rejects if it cannot be stored. */
  readonly ended: Promise<void>
}

export async function beginRun(
  { db, clock, log }: RunDeps,
  { kind, by, audit }: RunStart,
  work: Work,
): Promise<BegunRun> {
  const at = clock.now()
  await endSilentRuns(db, new Date(at.getTime() - SILENT_MS), at)
  const runId = makeId('X', PLATFORM, at)
  await db.transaction(async (tx) => {
    if (!(await insertRun(tx, { runId, kind, by: by.name, at })))
      throw new Problem('refused', 'One is running already. Wait until it has ended.')
    if (audit !== undefined)
      await writeAudit(tx, { merNo: PLATFORM, at, actor: by, subject: runId, ...audit })
  })
  return { runId, ended: follow() }

  async function follow(): Promise<void> {
    let progress: Readonly<Record<string, unknown>> = {}
    const ticking = setInterval(() => {
      updateProgress(db, runId, clock.now(), progress).catch(() => {})
    }, WRITE_EVERY_MS)
    ticking.unref()
    const ended = await work((next) => {
      progress = next
    }).then(
      (result) => ({ state: 'done' as const, result }),
      (err: unknown) => {
        log.error({ err, runId }, 'a run failed')
        return {
          state: 'failed' as const,
          result: { error: err instanceof Error ? err.message : String(err) },
        }
      },
    )
    clearInterval(ticking)
    await endRun(db, runId, { ...ended, at: clock.now() })
  }
}

/** True if the node of the run no longer updates the row. The next start of any run marks such runs as failed. */
export function isSilent({ state, seen_at }: Pick<RunRow, 'state' | 'seen_at'>, now: Date): boolean {
  return state === 'running' && now.getTime() - seen_at.getTime() > SILENT_MS
}
