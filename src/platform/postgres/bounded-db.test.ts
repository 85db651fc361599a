import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { Overloaded } from './batch.ts'
import { boundDb } from './bounded-db.ts'

const database = useDatabase()

/** A transaction that lasts until the test ends it. */
function occupy(db: ReturnType<typeof boundDb>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { end: resolve, done: db.transaction(() => promise) }
}

const answer = { text: 'select 1 as one' }

test('above the bound a statement waits its turn, and the whole database stays open to others', async () => {
  const db = boundDb(database.db, { most: 1, mostWaiting: 1, waitMs: 60_000 })
  const first = occupy(db)
  const second = db.query(answer)
  await assert.rejects(db.query(answer), Overloaded, 'nobody else may wait')
  assert.deepEqual(await database.db.query(answer), [{ one: 1 }])
  first.end()
  await first.done
  assert.deepEqual(await second, [{ one: 1 }])
  assert.deepEqual(await db.query(answer), [{ one: 1 }])
})

test('a statement that fails leaves its place, and waiting has an end', async () => {
  const db = boundDb(database.db, { most: 1, mostWaiting: 1, waitMs: 5 })
  await assert.rejects(db.query({ text: 'select nothing from nowhere' }))
  const first = occupy(db)
  await assert.rejects(db.query(answer), Overloaded)
  first.end()
  await first.done
  assert.deepEqual(await db.query(answer), [{ one: 1 }])
})
