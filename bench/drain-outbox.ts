import { setTimeout as sleep } from 'node:timers/promises'
import { pendingText } from '../src/money/notifications/claim-sql.ts'
import type { Db } from '../src/platform/postgres/db.ts'

const POLL_EVERY_MS = 500
const MOST_MS = 60_000

/**
 * Waits while the outbox gets shorter, at most a minute. If no gateway delivers, the wait ends with the second check.
 */
export async function drainOutbox(db: Db): Promise<void> {
  const deadline = Date.now() + MOST_MS
  const pending = (await hasSweeps(db)) ? pendingText : 'notifications where due_at is not null'
  for (let before = Number.POSITIVE_INFINITY; Date.now() < deadline; await sleep(POLL_EVERY_MS)) {
    const [row] = await db.query<{ waiting: number }>({
      text: `select count(*)::int as waiting from ${pending}`,
    })
    const waiting = row?.waiting ?? 0
    if (waiting === 0 || waiting >= before) return
    before = waiting
  }
}

/** An older checkout has no sweeps: there, every waiting row has a due time. */
async function hasSweeps(db: Db): Promise<boolean> {
  const rows = await db.query({ text: `select where to_regproc('notifications_not_swept') is not null` })
  return rows.length > 0
}
