import { setTimeout as sleep } from 'node:timers/promises'
import { pendingText, selectSweptUntil } from '../src/notifications/pending-sql.ts'
import type { Db, Statement } from '../src/postgres/db.ts'

const POLL_EVERY_MS = 500
const MOST_MS = 60_000

/** Waits while the outbox gets shorter. Returns after one check if no gateway delivers. */
export async function drainOutbox(db: Db): Promise<void> {
  const deadline = Date.now() + MOST_MS
  for (let before = Number.POSITIVE_INFINITY; Date.now() < deadline; await sleep(POLL_EVERY_MS)) {
    const [row] = await db.query<{ waiting: number }>(await countWaiting(db))
    const waiting = row?.waiting ?? 0
    if (waiting === 0 || waiting >= before) return
    before = waiting
  }
}

/** The other checkout may be older than the sweeps: there every notification that waits has a due time. */
async function countWaiting(db: Db): Promise<Statement> {
  const [sweeps] = await db.query({ text: `select where to_regclass('sweeps') is not null` })
  return sweeps === undefined
    ? { text: 'select count(*)::int as waiting from notifications where due_at is not null' }
    : {
        text: `select count(*)::int as waiting from ${pendingText('$1')} p`,
        values: [await selectSweptUntil(db)],
      }
}
