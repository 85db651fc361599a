// Long work in the background of one node: started by one person, watched by all. The row shows its progress; when the
// node dies, the row falls silent and the run counts as failed.
import type { Actor, AuditEntry } from '../../audit-log/entry.ts'
import { writeAudit } from '../../audit-log/write-entry.ts'
import type { Clock } from '../../base/clock.ts'
import { makeId } from '../../base/id.ts'
import type { Db } from '../../postgres/db.ts'
import { PLATFORM } from '../permissions.ts'
import { Problem } from '../problem.ts'
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
  /** Set if the run changes something: then it is a line of the audit log. */
  readonly audit?: Pick<AuditEntry, 'action' | 'after' | 'reason'> & Partial<Pick<AuditEntry, 'merNo'>>
}

/** Returns its id at once. */
export async function startRun(deps: RunDeps, start: RunStart, work: Work): Promise<string> {
  const { runId, ended } = await beginRun(deps, start, work)
  ended.catch((err: unknown) => deps.log.error({ err, runId }, 'the end of a run could not be written'))
  return runId
}

export type BegunRun = {
  readonly runId: string
  /** Settled when its end is written. */
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

/** Whether its node must be gone. The next start of its kind ends it. */
export function isSilent({ state, seen_at }: Pick<RunRow, 'state' | 'seen_at'>, now: Date): boolean {
  return state === 'running' && now.getTime() - seen_at.getTime() > SILENT_MS
}
