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
    // It is busy a moment before it waits.
    const text = `
      select pg_cancel_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`
    while ((await tx.query({ text })).length === 0);
    await canceled
    while (await isBusy(tx));
  })
})
