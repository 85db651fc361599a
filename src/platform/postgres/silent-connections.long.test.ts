import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DatabaseProxy, openDatabaseProxy } from '../../../test/harness/database-proxy.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { type Db, openDb } from './db.ts'
import { outageOf } from './outages.ts'

const HOUR = { text: 'select pg_sleep(3600)' }

let proxy: DatabaseProxy
let db: Db
const database = useDatabase({
  async before({ url }) {
    proxy = await openDatabaseProxy(url)
    db = openDb({ connection: { connectionString: proxy.url }, maxConnections: 4 })
  },
  async after() {
    await db.close()
    await proxy.stop()
  },
})

/** Returns the outage of a call that fails. */
function outageIn(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no failure',
    (error: unknown) => outageOf(error) ?? error,
  )
}

const SLEEPERS = `pg_stat_activity
  where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()`

const asleep = (count: number) =>
  eventually(async () => (await database.db.query({ text: `select from ${SLEEPERS}` })).length === count)

/** Makes the server vanish, and ends its sleeping backends, which would not notice the lost connection. */
async function vanish(options: { readonly isReplaced: boolean }): Promise<void> {
  proxy.vanish(options)
  await database.db.query({ text: `select pg_terminate_backend(pid) from ${SLEEPERS}` })
}

const inFlight = () => [
  outageIn(db.atOnce([HOUR])),
  outageIn(db.transaction((tx) => tx.query(HOUR))),
  outageIn(db.transaction((tx) => tx.query(HOUR), { byKey: true })),
]

describe('connections whose server vanishes without a word', () => {
  for (const isReplaced of [true, false])
    it(`fail their statements ${isReplaced ? 'although new connections work' : 'while no server answers'}`, async () => {
      const received: string[] = []
      await db.listen(`channel ${isReplaced}`, (payload) => received.push(payload))
      const calls = inFlight()
      assert.ok(await asleep(3))
      // One connection is idle, and still has a place in the pool.
      await db.query({ text: 'select 1' })
      await vanish({ isReplaced })
      assert.deepEqual(await Promise.all(calls), ['unknown', 'nothing stored', 'nothing stored'])
      if (!isReplaced) {
        assert.equal(await outageIn(db.transaction((tx) => tx.query(HOUR))), 'nothing stored')
        proxy.replace()
      }
      assert.deepEqual(await db.query({ text: 'select 1 as one' }), [{ one: 1 }])
      assert.ok(await eventually(() => received.includes('')))
      await db.query({ text: 'select pg_notify($1, $2)', values: [`channel ${isReplaced}`, 'again'] })
      assert.ok(await eventually(() => received.includes('again')))
    })
})

it('lets long statements and slow transactions go on', async () => {
  const seconds = (count: number) => ({ text: `select pg_sleep(${count})` })
  await Promise.all([
    db.atOnce([seconds(12)]),
    db.query(seconds(12)),
    db.transaction(async (tx) => {
      await tx.query(seconds(6))
      await new Promise((resolve) => setTimeout(resolve, 6_000))
      await tx.query(seconds(1))
    }),
  ])
})
