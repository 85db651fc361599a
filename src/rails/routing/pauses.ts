// Channels that operators have paused. Routing skips a paused channel, but its open payments are still polled. Each
// process keeps the list in memory, and reads it again when a change is announced, and every 30 s in case an
// announcement was missed.
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { announcePauses, deletePause, insertPause, type PauseRow, selectPauses } from './sql.ts'

const REFRESH_MS = 30_000

export type Pauses = {
  isPaused(channel: string): boolean
  close(): void
}

export type PausesDeps = {
  readonly db: Db
  readonly log?: { error(details: object, message: string): void }
}

export async function openPauses({ db, log }: PausesDeps): Promise<Pauses> {
  let paused: ReadonlySet<string> = new Set()
  const read = async () => {
    paused = new Set((await selectPauses(db)).map(({ channel }) => channel))
  }
  /** If reading fails, the old list stays in use. */
  const refresh = () =>
    read().catch((err: unknown) => log?.error({ err }, 'reading the paused channels failed'))
  await db.listen('channel_pauses', refresh)
  await read()
  const timer = setInterval(refresh, REFRESH_MS)
  timer.unref()
  return { isPaused: (channel) => paused.has(channel), close: () => clearInterval(timer) }
}

export type Pausing = {
  readonly channel: string
  readonly by: string
  readonly reason: string
  readonly at: Date
}

export function pauseChannel(db: Db, { channel, by, reason, at }: Pausing): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await insertPause(tx, { channel, paused_at: at, paused_by: by, reason })))
      throw new OperatorRefusal(`channel ${channel} is already paused`)
    await announcePauses(tx)
  })
}

export function resumeChannel(db: Db, channel: string): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await deletePause(tx, channel))) throw new OperatorRefusal(`channel ${channel} is not paused`)
    await announcePauses(tx)
  })
}

export function listPauses(db: Db): Promise<PauseRow[]> {
  return selectPauses(db)
}
