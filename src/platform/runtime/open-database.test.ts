import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { fastPaths } from '../../../test/harness/fast-paths.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/harness/harness.ts'
import type { Mode } from '../config/config.ts'
import { SettingError } from '../errors/catalogue.ts'
import { type OpenedBy, openDatabase } from './open-database.ts'

let database: TestDatabase
beforeEach(async (context) => {
  database = await cloneDatabase()
  if ('after' in context) context.after(() => database.drop())
})

async function start(mode: Mode, by: OpenedBy = 'gateway'): Promise<void> {
  const config = { mode, dataDir: '/nowhere', databaseUrl: database.url, fastPaths }
  const opened = await openDatabase(config, () => {}, by)
  await opened.close()
}

async function refusal(mode: Mode, by?: OpenedBy): Promise<string> {
  const error = await start(mode, by).catch((caught: unknown) => caught)
  assert.ok(error instanceof SettingError, `${mode} was let in`)
  return error.message
}

async function rows(text: string): Promise<unknown[]> {
  return database.db.query({ text })
}

/** Changes the database to the schema that it had before modes were stored. */
async function unmark(): Promise<void> {
  await rows('drop table database_mode')
  await rows('alter table rates drop column derived')
  await rows(`delete from migrations where name like '0017%'`)
}

async function addDemoMerchant(): Promise<void> {
  await rows(`insert into merchants (mer_no, name, state, created_at)
    values (12345678, 'Demo Shop', 'active', now())`)
  await rows('insert into demo_merchants (mer_no, made_at) values (12345678, now())')
}

for (const [first, other] of [
  ['sandbox', 'live'],
  ['live', 'sandbox'],
] as const) {
  test(`a database that belongs to ${first} is not opened in ${other}, by gateway or command`, async () => {
    await start(first)
    for (const by of ['gateway', 'command'] as const) {
      assert.match(await refusal(other, by), new RegExp(`belongs to ${first}.*TOLLGATE_MODE=${first}`))
      await start(first, by)
    }
  })
}

test('if both modes start at the same time on a new database, one of them gets it', async () => {
  const results = await Promise.allSettled([start('sandbox'), start('live')])
  const refused = results.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 1)
  assert.equal((await rows('select mode from database_mode')).length, 1)
})

test('a command does not claim a database: either mode can still start on it', async () => {
  await start('sandbox', 'command')
  await start('live')
  assert.match(await refusal('sandbox'), /belongs to live/)
})

test('an older database with a demo merchant belongs to sandbox, and live does not migrate it', async () => {
  await addDemoMerchant()
  await unmark()
  assert.match(await refusal('live'), /belongs to sandbox/)
  assert.deepEqual(await rows(`select name from migrations where name like '0017%'`), [])
  await start('sandbox')
  assert.match(await refusal('live'), /belongs to sandbox/)
})

test('an older database without a demo merchant belongs to the gateway that starts next', async () => {
  await unmark()
  await start('live')
  assert.match(await refusal('sandbox'), /belongs to live/)
})
