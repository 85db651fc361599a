// A wait for tests of lock orders: a transaction of the test holds a lock until another session waits for it.
import assert from 'node:assert/strict'
import type { Db } from '../../src/platform/postgres/db.ts'
import { eventually } from './eventually.ts'

/** Waits until a session waits for a lock. `statement` is a part of the text that the waiting session runs. */
export async function waitUntilSomebodyWaits(db: Db, statement = '', sessions = 1): Promise<void> {
  const isWaiting = async () => {
    const rows = await db.query({
      text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and position($1 in query) > 0`,
      values: [statement],
    })
    return rows.length >= sessions
  }
  assert.ok(await eventually(isWaiting))
}
