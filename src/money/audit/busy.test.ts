import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { isBusy } from './sql.ts'

const database = useDatabase()

test('the database is busy while another session runs a statement, also within one transaction', async () => {
  const { db } = database
  await db.transaction(async (tx) => {
    const own = await tx
      .query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })
      .then((rows) => rows.map(({ pid }) => pid))
    assert.equal(await isBusy(tx, own), false)
    // The statement of the other session runs until this transaction frees the lock or cancels the statement.
    await tx.query({ text: 'select pg_advisory_xact_lock(1)' })
    const canceled = assert.rejects(
      db.query({ text: 'select pg_advisory_lock(1), pg_advisory_unlock(1)' }),
      /canceling statement/,
    )
    while (!(await isBusy(tx, own)));
    // The other session is busy a moment before it waits for the lock, so the cancellation is repeated until it has
    // effect.
    const text = `
      select pg_cancel_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`
    while ((await tx.query({ text })).length === 0);
    await canceled
    while (await isBusy(tx, own));
  })
})
