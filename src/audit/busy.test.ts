import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDatabase } from '../../test/harness.ts'
import { isBusy } from './sql.ts'

test('the database is busy while another session runs a statement, also within one transaction', async (t) => {
  const { db, drop } = await cloneDatabase()
  t.after(drop)
  await db.transaction(async (tx) => {
    assert.equal(await isBusy(tx), false)
    // Runs until it gets the lock.
    await tx.query({ text: 'select pg_advisory_xact_lock(1)' })
    const canceled = assert.rejects(
      db.query({ text: 'select pg_advisory_lock(1), pg_advisory_unlock(1)' }),
      /canceling statement/,
    )
    while (!(await isBusy(tx)));
    await tx.query({
      text: `select pg_cancel_backend(pid) from pg_locks where locktype = 'advisory' and not granted`,
    })
    await canceled
    while (await isBusy(tx));
  })
})
