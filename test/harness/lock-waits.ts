// For tests of lock orders: a transaction of the test holds a lock until another session waits for it.
import assert from 'node:assert/strict'
import type { Db } from '../src/postgres/db.ts'
import { eventually } from './eventually.ts'

/** `statement`: a part of the text that the waiting session runs. */
export async function waitUntilSomebodyWaits(db: Db, statement = ''): Promise<void> {
  const isWaiting = async () => {
    const rows = await db.query({
      text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and position($1 in query) > 0`,
      values: [statement],
    })
    return rows.length > 0
  }
  assert.ok(await eventually(isWaiting))
}
