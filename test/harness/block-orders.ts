// Blocks all writes of orders for as long as a test wants; reads still work.
import assert from 'node:assert/strict'
import type { Db } from '../../src/platform/postgres/db.ts'
import { eventually } from './eventually.ts'

export type BlockedOrders = {
  /** Resolves once this many writers wait. */
  untilWaiting(writers: number): Promise<void>
  release(): void
}

export async function blockOrders(db: Db): Promise<BlockedOrders> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await tx.query({ text: 'lock table orders in exclusive mode' })
    isLocked()
    await released
  })
  await Promise.race([locked, holding])
  const untilWaiting = async (writers: number) => {
    assert.ok(
      await eventually(async () => (await countWaiting(db)) >= writers),
      'no writer waits for the orders table',
    )
  }
  return { untilWaiting, release }
}

async function countWaiting(db: Db): Promise<number> {
  const [row] = await db.query<{ waiting: number }>({
    text: `select count(*)::int as waiting from pg_locks
      where relation = 'orders'::regclass and mode = 'RowExclusiveLock' and not granted`,
  })
  return row?.waiting ?? 0
}
