import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OpenDatabase, useDatabase } from '../../../test/harness/harness.ts'
import type { Tx } from './db.ts'
import { afterCommit, type Outage, outageOf } from './outages.ts'

const database = useDatabase()

const DIVISION_BY_ZERO = '22012'

test('a transaction fails with the cause, also if statements that were sent with it fail sooner in the code', async () => {
  // The failure of `divide` passes through more functions, so it is reported after the failure of the next statement.
  const divide = async (tx: Tx) => await (async () => await tx.query({ text: 'select 1 / 0' }))()
  const failed = database.db.transaction((tx) => Promise.all([divide(tx), tx.query({ text: 'select 1' })]))
  await assert.rejects(failed, { code: DIVISION_BY_ZERO })
  assert.deepEqual(await database.db.query({ text: 'select 1 as one' }), [{ one: 1 }])
})

test('a transaction that goes on after a failed statement is not reported as committed', async () => {
  const insert = { text: `insert into migrations (name) values ('never')` }
  const unaware = database.db.transaction(async (tx) => {
    await tx.query(insert)
    await tx.query({ text: 'select 1 / 0' }).catch(() => {})
    return 'done'
  })
  await assert.rejects(unaware, { code: DIVISION_BY_ZERO })
  assert.deepEqual(await database.db.query({ text: `select from migrations where name = 'never'` }), [])
})

const end = { text: 'select pg_terminate_backend(pg_backend_pid())' }
const insert = { text: `insert into migrations (name) values ('x')` }
const readOnly = { text: `select set_config('transaction_read_only', 'on', true)` }

for (const [what, outage, run] of [
  ['before a commit has stored nothing', 'nothing stored', ({ db }) => db.transaction((tx) => tx.query(end))],
  ['while a commit is on its way may have stored it', 'unknown', ({ db }) => db.atOnce([insert, end])],
  ['that the server undid has stored nothing', 'nothing stored', ({ db }) => db.atOnce([readOnly, insert])],
  [
    'after a commit has stored something',
    'unknown',
    ({ db }) => afterCommit(db.transaction((tx) => tx.query(end))),
  ],
  ['of a statement that only reads has stored nothing', 'nothing stored', ({ db }) => db.query(end)],
  ['of a statement is no outage', undefined, ({ db }) => db.query({ text: 'select 1 / 0' })],
] as const satisfies readonly (readonly [
  string,
  Outage | undefined,
  (given: OpenDatabase) => Promise<unknown>,
])[])
  test(`a failure ${what}`, async () => {
    const reported: unknown[] = []
    const unwatch = database.db.onOutage((error) => reported.push(error))
    const error = await run(database).catch((caught: unknown) => caught)
    unwatch()
    assert.ok(error instanceof Error)
    assert.equal(outageOf(error), outage)
    assert.deepEqual(reported, outage === undefined ? [] : [error])
  })
