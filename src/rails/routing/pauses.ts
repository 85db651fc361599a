// Channels that operators have paused. Routing skips a paused channel, but its open payments are still polled.
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { openLiveCopy } from '../../platform/postgres/live-copy.ts'
import { announcePauses, deletePause, insertPause, selectPauses } from './sql.ts'

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
  const paused = await openLiveCopy({
    db,
    channel: 'channel_pauses',
    everyMs: REFRESH_MS,
    read: async () => new Set((await selectPauses(db)).map(({ channel }) => channel)),
    failed: (err) => log?.error({ err }, 'reading the paused channels failed'),
  })
  return { isPaused: (channel) => paused.current().has(channel), close: paused.close }
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

export const listPauses = selectPauses
