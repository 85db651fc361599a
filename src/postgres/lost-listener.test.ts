import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, staysFalse } from '../../test/eventually.ts'
import { cloneDatabase } from '../../test/harness.ts'

test('a listener whose connection is cut comes back once', async (t) => {
  const { db, drop } = await cloneDatabase()
  t.after(drop)
  const heard: string[] = []
  await db.listen('news', (payload) => heard.push(payload))
  const sessions = () =>
    db.query<{ pid: number }>({
      text: `select pid from pg_stat_activity where datname = current_database() and query = 'listen "news"'`,
    })
  const [first] = await sessions()
  assert.ok(first)
  await db.query({ text: 'select pg_terminate_backend($1)', values: [first.pid] })
  assert.ok(await eventually(() => heard.length > 0))
  assert.ok(await staysFalse(async () => heard.length > 1 || (await sessions()).length > 1, 500))
  await db.query({ text: `select pg_notify('news', 'one')` })
  assert.ok(await eventually(() => heard.includes('one')))
  assert.deepEqual(heard, ['', 'one'])
})
