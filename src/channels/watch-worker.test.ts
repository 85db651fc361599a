import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { eventually } from '../../test/eventually.ts'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { systemClock } from '../base/clock.ts'
import { checkChannelWork } from '../doctor/check-channels.ts'
import { noteWork } from './store-sql.ts'
import { listFailingWork, startWatching } from './watch-worker.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

test('work that fails is noted until it works again, and the doctor warns of it', async () => {
  const { db } = database
  let isMounted = false
  let why = 'the folder is not mounted'
  const work = async () => {
    if (!isMounted) throw new Error(why)
  }
  const watchers = [{ channel: 'bank', watcher: { everyMs: 10, work } }]
  const watching = startWatching({
    db,
    clock: systemClock,
    log: pino({ enabled: false }),
    watchers: () => watchers,
  })
  const failing = async () => (await listFailingWork(db, new Date())).map(({ channel }) => channel)
  assert.ok(await eventually(async () => (await failing()).includes('bank')))

  const [{ since } = { since: new Date() }] = await listFailingWork(db, new Date())
  const inMinutes = (minutes: number) => ({ now: () => new Date(since.getTime() + minutes * 60_000) })
  assert.equal((await checkChannelWork(db, inMinutes(4))).status, 'ok')
  const { status, found } = await checkChannelWork(db, inMinutes(5))
  assert.equal(status, 'warn')
  assert.match(found, /work of bank has failed for 5 minutes: the folder is not mounted/)
  why = 'a bank wrote\n\u0000'
  assert.ok(await eventually(async () => (await listFailingWork(db, new Date()))[0]?.why === 'a bank wrote '))
  assert.deepEqual((await listFailingWork(db, new Date()))[0]?.since, since)
  assert.equal((await checkChannelWork(db, inMinutes(60))).status, 'ok', 'nobody works for it any more')

  isMounted = true
  assert.ok(await eventually(async () => (await failing()).length === 0))
  // As another process notes it that had the work for a while.
  await noteWork(db, 'bank', { at: new Date(), why: 'not mounted there' })
  assert.ok(await eventually(async () => (await failing()).length === 0))
  await watching.stop()
})
