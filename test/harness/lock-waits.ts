// Tests of locks: a transaction of the test holds a lock while another session waits for it or passes it by.
import assert from 'node:assert/strict'
import type { Db, Statement, Tx } from '../../src/platform/postgres/db.ts'
import { eventually } from './eventually.ts'

/** Waits until a session waits for a lock. `statement` is a part of the text that the waiting session runs. */
export async function waitUntilSomebodyWaits(db: Db, statement = '', sessions = 1): Promise<void> {
  assert.ok(await eventually(() => isWaitedFor(db, statement, sessions)))
}

async function isWaitedFor(db: Db, statement = '', sessions = 1): Promise<boolean> {
  const rows = await db.query({
    text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and position($1 in query) > 0`,
    values: [statement],
  })
  return rows.length >= sessions
}

type Claiming = {
  /** Locks all rows that `claim` could claim. */
  lock(tx: Tx): Promise<unknown>
  /** Claims rows and returns their number. */
  claim(): Promise<number>
}

/**
 * Asserts that a claim returns at once, without the rows that another transaction has locked. Otherwise one slow worker
 * would hold up all others. After that transaction the same rows are claimed.
 */
export async function assertSkipsLocked(db: Db, { lock, claim }: Claiming): Promise<void> {
  const { claiming, hasWaited } = await db.transaction(async (tx) => {
    await lock(tx)
    let hasEnded = false
    const claiming = claim().finally(() => {
      hasEnded = true
    })
    let hasWaited = false
    await eventually(async () => {
      hasWaited = !hasEnded && (await isWaitedFor(db))
      return hasWaited || hasEnded
    })
    return { claiming: Promise.allSettled([claiming]), hasWaited }
  })
  const [claimed] = await claiming
  assert.deepEqual({ hasWaited, claimed }, { hasWaited: false, claimed: { status: 'fulfilled', value: 0 } })
  assert.ok((await claim()) > 0, 'the rows are claimed once they are free')
}

/**
 * Asserts that `work` locks the row of `first` before the row of `second`. Both statements lock their row `nowait`. The
 * planner may not use nested loops here, because a nested loop over a sorted list would keep the order of the list
 * without a lock.
 */
export async function assertLocksInOrder(
  db: Db,
  { first, second }: { readonly first: Statement; readonly second: Statement },
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const { working } = await db.transaction(async (tx) => {
    await tx.query(first)
    const working = db.transaction(async (other) => {
      await other.query({ text: 'set local enable_nestloop = off' })
      await other.query({ text: 'set local enable_mergejoin = off' })
      await work(other)
    })
    await waitUntilSomebodyWaits(db)
    await tx.query(second)
    return { working }
  })
  await working
}
