import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, staysFalse } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'

const database = useDatabase()

test('a listener reconnects once when its connection is cut', async () => {
  const { db } = database
  const received: string[] = []
  await db.listen('prices', (payload) => received.push(payload))
  const sessions = () =>
    db.query<{ pid: number }>({
      text: `select pid from pg_stat_activity where datname = current_database() and query = 'listen "prices"'`,
    })
  const [first] = await sessions()
  assert.ok(first)
  await db.query({ text: 'select pg_terminate_backend($1)', values: [first.pid] })
  assert.ok(await eventually(() => received.length > 0))
  assert.ok(await staysFalse(async () => received.length > 1 || (await sessions()).length > 1, 500))
  await db.query({ text: `select pg_notify('prices', 'one')` })
  assert.ok(await eventually(() => received.includes('one')))
  assert.deepEqual(received, ['', 'one'])
})
