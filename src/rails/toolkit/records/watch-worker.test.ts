import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { eventually } from '../../../../test/harness/eventually.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { checkChannelWork } from '../../../operator/doctor/check-channels.ts'
import { systemClock } from '../../../platform/base/clock.ts'
import { noteWork } from './store-sql.ts'
import { listFailingWork, startWatching } from './watch-worker.ts'

const database = useDatabase()

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
    everyMs: 200,
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
  // Another process, which had the lease for a while, records a failure.
  await noteWork(db, 'bank', { at: new Date(), why: 'not mounted there' })
  assert.ok(await eventually(async () => (await failing()).length === 0))
  await watching.stop()
})

test('work that takes longer than a lease stays with its node', async (t) => {
  const { db } = database
  t.mock.timers.enable({ apis: ['setInterval'] })
  let now = new Date()
  const clock = { now: () => now }
  const log = pino({ enabled: false })
  const startNode = () => {
    const ended = Promise.withResolvers<void>()
    let begun = 0
    const work = () => {
      begun += 1
      return ended.promise
    }
    const watchers = [{ channel: 'slow bank', watcher: { everyMs: 10, work } }]
    const { stop } = startWatching({ db, clock, log, watchers: () => watchers, everyMs: 200 })
    t.after(async () => {
      ended.resolve()
      await stop()
    })
    return { begun: () => begun }
  }
  const leasedUntil = async () => {
    const [row] = await db.query<{ until: Date }>({
      text: `select leased_until as until from channel_watchers where channel = 'slow bank'`,
    })
    return row?.until.getTime() ?? 0
  }
  const first = startNode()
  assert.ok(await eventually(() => first.begun() === 1))
  for (let renewed = 0; renewed < 6; renewed++) {
    const before = await leasedUntil()
    now = new Date(now.getTime() + 10_000)
    t.mock.timers.tick(10_000)
    assert.ok(await eventually(async () => (await leasedUntil()) > before))
  }
  const second = startNode()
  await new Promise((resolve) => setTimeout(resolve, 600))
  assert.equal(second.begun(), 0)
})
