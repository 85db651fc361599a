import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import type { Tx } from './db.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

const DIVISION_BY_ZERO = '22012'

test('a transaction fails with the cause, also if statements that were sent with it fail sooner in the code', async () => {
  // Its failure passes through more functions than that of the next statement.
  const divide = async (tx: Tx) => await (async () => await tx.query({ text: 'select 1 / 0' }))()
  const failed = database.db.transaction((tx) => Promise.all([divide(tx), tx.query({ text: 'select 1' })]))
  await assert.rejects(failed, { code: DIVISION_BY_ZERO })
  assert.deepEqual(await database.db.query({ text: 'select 1 as one' }), [{ one: 1 }])
})
