import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { behaviours, openReceiver, type Receiver } from '../../../test/counterparties/receiver.ts'
import { PATIENT_MS, startTestDelivery } from '../../../test/harness/delivery.ts'
import { eventually, staysFalse } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { makeId } from '../../platform/base/id.ts'
import { openVault } from '../../platform/base/secret.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { createMerchant, type NewMerchant } from '../merchants/create-merchant.ts'
import { readOptions } from '../merchants/options.ts'
import { enqueueNotifications } from './enqueue-notifications.ts'
import { listAttempts, listNotifications } from './list-notifications.ts'
import { type Notification, notificationStates } from './notification.ts'
import { pauseMerchant, resumeMerchant } from './pause-merchant.ts'
import { recoverFailed, resendNotifications } from './resend-notifications.ts'
import { startWatchdog } from './watchdog.ts'
import type { DeliveryDeps, DeliveryWorker } from './worker.ts'

const DAY_MS = 86_400_000
const vault = openVault(randomBytes(32))
const log = pino({ level: 'silent' })
let receiver: Receiver
let shop: NewMerchant
let other: NewMerchant

const database = useDatabase({
  async before() {
    receiver = await openReceiver()
    shop = await newShop()
    other = await newShop()
  },
  after: () => receiver.close(),
})

function newShop(): Promise<NewMerchant> {
  const options = readOptions({ name: 'Shop', sites: ['shop.example'] })
  const wanted = { options, pending: false, now: new Date() }
  return database.db.transaction((tx) => createMerchant(tx, vault, wanted))
}

function start(t: TestContext, changes: Partial<DeliveryDeps> = {}): DeliveryWorker {
  const worker = startTestDelivery(database.db, vault, changes)
  t.after(() => worker.stop())
  return worker
}

/** A clock that only the test moves. */
function handClock() {
  let now = new Date()
  return {
    now: () => now,
    moveTo: (at: Date | number) => {
      now = new Date(at)
    },
  }
}

let paths = 0

/** A path that no other test uses. */
function newPath(): string {
  return `/hook-${++paths}`
}

function aNotification(path: string, changes: Partial<Notification> = {}): Notification {
  const merNo = changes.merNo ?? shop.merNo
  const at = new Date()
  const tradeNo = makeId('T', merNo, at)
  const fields = { tradeNo, merOrderNo: 'order-1', code: '0', message: 'Approved' }
  return { merNo, tradeNo, event: 'payment', url: receiver.url + path, fields, at, ...changes }
}

async function enqueue(...notifications: Notification[]): Promise<void> {
  await database.db.transaction((tx) => enqueueNotifications(tx, notifications))
}

const arrived = (path: string, count: number) => eventually(() => receiver.received(path).length >= count)

async function theOne({ tradeNo }: Notification) {
  const [found] = await listNotifications(database.db, { tradeNo })
  assert.ok(found)
  return found
}

/** Returns the alerts about given-up deliveries to the merchant. */
async function alertsOf(merNo: number): Promise<unknown[]> {
  const rows = await database.db.query<{ content: unknown }>({
    text: `select content from alerts where mer_no = $1 and kind = 'delivery-failed'`,
    values: [merNo],
  })
  return rows.map(({ content }) => content)
}

const became = (one: Notification, state: string) =>
  eventually(async () => (await theOne(one)).state === state)

/** Waits until this many attempts have ended and failed. */
async function untilTried(one: Notification, attempts: number) {
  const isTried = async () => {
    const last = (await attemptsOf(one)).at(-1)
    return last?.attemptNo === attempts && last.error !== null
  }
  assert.ok(await eventually(isTried), `attempt ${attempts} is not made`)
  const [attempt] = (await attemptsOf(one)).slice(-1)
  const { dueAt } = await theOne(one)
  assert.ok(attempt && dueAt)
  return { startedAt: attempt.startedAt, dueAt }
}

async function attemptsOf(one: Notification) {
  const { merNo, notificationId } = await theOne(one)
  return (await listAttempts(database.db, merNo, notificationId)).reverse()
}

describe('a notification that is acknowledged', () => {
  test('is sent immediately, signed, and only once', async (t) => {
    const clock = handClock()
    const path = newPath()
    const one = aNotification(path, { at: clock.now() })
    await enqueue(one)
    start(t, { clock }).poke()
    assert.ok(await became(one, 'delivered'))
    clock.moveTo(clock.now().getTime() + DAY_MS)
    assert.ok(await staysFalse(() => receiver.received(path).length > 1, 200))
    const [came, ...more] = receiver.received(path)
    assert.equal(more.length, 0)
    assert.ok(came)
    verifyWebhook(came.headers, came.body, shop.webhookSecret)
    const body = Object.fromEntries(new URLSearchParams(came.body))
    assert.deepEqual({ ...body, sign: undefined }, { ...one.fields, sign: undefined })
    assert.match(body.sign ?? '', /^[0-9A-F]{32}$/)
    const [attempt, ...others] = await attemptsOf(one)
    assert.equal(others.length, 0)
    assert.equal(attempt?.status, 200)
    assert.equal(attempt?.answer, 'SUCCESS')
    assert.equal(attempt?.error, null)
    assert.ok(attempt?.finishedAt)
  })
})

/** Verifies the signature as a merchant's library does. */
function verifyWebhook(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  secret: string,
): void {
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  new Webhook(secret).verify(body, plain, { jsonParse: false })
}

describe('a notification that is not acknowledged', () => {
  test('is sent nine times by the schedule, with one id and one body, and is then given up', async (t) => {
    const clock = handClock()
    const path = newPath()
    receiver.on(path, behaviours.wrongBody)
    const fields = { refundNo: 'R1', state: 0 }
    const one = aNotification(path, { event: 'refund', fields, at: clock.now() })
    await enqueue(one)
    start(t, { clock, minuteMs: 20 })
    for (let made = 1; made < 9; made++) {
      const { startedAt, dueAt } = await untilTried(one, made)
      assert.equal(dueAt.getTime() - startedAt.getTime(), 20 * 2 ** (made - 1))
      clock.moveTo(dueAt.getTime() - 1)
      assert.ok(await staysFalse(() => receiver.received(path).length > made, 100))
      clock.moveTo(dueAt)
    }
    assert.ok(await became(one, 'failed'))
    clock.moveTo(clock.now().getTime() + DAY_MS)
    assert.ok(await staysFalse(() => receiver.received(path).length > 9, 200))
    const came = receiver.received(path)
    assert.equal(came.length, 9)
    assert.equal(new Set(came.map(({ body }) => body)).size, 1)
    assert.equal(new Set(came.map(({ headers }) => headers['webhook-id'])).size, 1)
    for (const { headers, body } of came) verifyWebhook(headers, body, shop.webhookSecret)
    const attempts = await attemptsOf(one)
    assert.deepEqual(
      attempts.map(({ attemptNo }) => attemptNo),
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    )
    assert.ok(attempts.every(({ error }) => error === 'answered 200, but not SUCCESS'))
  })

  test("raises an alert for the merchant's people once it is given up; an acknowledged one raises none", async (t) => {
    const [reached, failing] = [await newShop(), await newShop()]
    const path = newPath()
    receiver.on(path, behaviours.error)
    const acknowledged = aNotification(newPath(), { merNo: reached.merNo })
    const refused = aNotification(path, { merNo: failing.merNo })
    await enqueue(acknowledged, refused)
    start(t, { minuteMs: 1 })
    assert.ok(await became(acknowledged, 'delivered'))
    assert.ok(await became(refused, 'failed'))
    assert.ok(await eventually(async () => (await alertsOf(failing.merNo)).length > 0))
    assert.deepEqual(await alertsOf(failing.merNo), [{ orderNo: 'order-1', url: refused.url }])
    assert.deepEqual(await alertsOf(reached.merNo), [])
  })

  test('continues its schedule under another worker', async (t) => {
    const path = newPath()
    receiver.on(path, behaviours.error)
    const clock = handClock()
    const one = aNotification(path, { at: clock.now() })
    await enqueue(one)
    const first = start(t, { clock })
    const { startedAt, dueAt } = await untilTried(one, 1)
    assert.equal(dueAt.getTime() - startedAt.getTime(), 60_000)
    await first.stop()
    start(t, { clock })
    clock.moveTo(dueAt.getTime() - 1)
    assert.ok(await staysFalse(() => receiver.received(path).length > 1, 200))
    clock.moveTo(dueAt)
    assert.ok(await arrived(path, 2))
  })

  for (const [behaviour, why, timeoutMs] of [
    ['hang', /^no answer within 300 ms$/, 300],
    ['drip', /^no answer within 300 ms$/, 300],
    ['huge', /more than 1024 bytes/, PATIENT_MS],
    ['reset', /hang up|ECONNRESET/, PATIENT_MS],
    ['redirect', /redirects are not followed/, PATIENT_MS],
    ['error', /^answered 500$/, PATIENT_MS],
  ] as const) {
    test(`records why: ${behaviour}`, async (t) => {
      start(t, { timeoutMs })
      const path = newPath()
      receiver.on(path, behaviours[behaviour])
      const one = aNotification(path)
      await enqueue(one)
      assert.ok(await eventually(async () => (await theOne(one)).error !== null))
      const found = await theOne(one)
      assert.match(found.error ?? '', why)
      assert.equal(found.state, 'retrying')
      const [attempt] = await attemptsOf(one)
      assert.ok((attempt?.answer ?? '').length <= 1_024)
    })
  }

  test('a notification to an internal address fails with the reason, and is never sent', async (t) => {
    start(t)
    const one = aNotification('', { url: 'http://10.0.0.1/hook' })
    await enqueue(one)
    assert.ok(await eventually(async () => (await theOne(one)).error !== null))
    assert.match((await theOne(one)).error ?? '', /10\.0\.0\.1 is private or reserved/)
  })
})

test('first attempts of one order are sent in order; a retry delays none', async (t) => {
  const path = newPath()
  const events = ['payment', 'refund', 'chargeback'] as const
  receiver.on(path, (response) => setTimeout(() => response.end('later'), 30))
  const tradeNo = makeId('T', shop.merNo, new Date())
  await enqueue(...events.map((event) => aNotification(path, { tradeNo, event, fields: { event } })))
  start(t)
  assert.ok(await arrived(path, 3))
  const came = receiver.received(path).map(({ body }) => body.match(/payment|refund|chargeback/)?.[0])
  assert.deepEqual(came, events)
})

test('while one merchant hangs with thousands due, first attempts of another are sent', async (t) => {
  const hanging = newPath()
  const hangingResponses: ServerResponse[] = []
  receiver.on(hanging, (response) => hangingResponses.push(response))
  const worker = start(t)
  // The number of these notifications exceeds the slots of a worker.
  await enqueue(...Array.from({ length: 3_000 }, () => aNotification(hanging)))
  worker.poke()
  assert.ok(await arrived(hanging, 30))
  for (let round = 0; round < 8; round++) {
    const path = newPath()
    await enqueue(aNotification(path, { merNo: other.merNo }))
    worker.poke()
    assert.ok(await arrived(path, 1), `round ${round}`)
    await sleep(100)
  }
  assert.ok(hangingResponses.length <= 128)
  await database.db.query({ text: 'delete from notifications where url like $1', values: [`%${hanging}`] })
  receiver.on(hanging, behaviours.ok)
  for (const response of hangingResponses) response.end('SUCCESS')
})

test('a first attempt does not wait behind thousands of another merchant that answers', async (t) => {
  const [many, single] = [newPath(), newPath()]
  await enqueue(...Array.from({ length: 4_000 }, () => aNotification(many)))
  await enqueue(aNotification(single, { merNo: other.merNo }))
  start(t).poke()
  assert.ok(await arrived(single, 1))
  const paths = receiver.received().map(({ path }) => path)
  const before = paths.slice(0, paths.indexOf(single)).filter((path) => path === many)
  assert.ok(before.length < 2_000, `${before.length} came before`)
  assert.ok(await arrived(many, 4_000))
})

test('a burst of one merchant that answers is delivered completely, each once', async (t) => {
  const path = newPath()
  await enqueue(...Array.from({ length: 3_000 }, () => aNotification(path)))
  start(t).poke()
  assert.ok(await arrived(path, 3_000))
  assert.ok(await staysFalse(() => receiver.received(path).length > 3_000, 300))
  const ids = receiver.received(path).map(({ headers }) => headers['webhook-id'])
  assert.equal(new Set(ids).size, 3_000)
})

test('two workers share the work and send nothing twice', async (t) => {
  const path = newPath()
  start(t)
  start(t)
  for (let batch = 0; batch < 10; batch++) {
    await enqueue(...Array.from({ length: 100 }, () => aNotification(path)))
  }
  assert.ok(await arrived(path, 1_000))
  assert.ok(await staysFalse(() => receiver.received(path).length > 1_000, 300))
})

describe('an operator', () => {
  test('resends the same id and body, in a new round', async (t) => {
    start(t)
    const path = newPath()
    const one = aNotification(path)
    await enqueue(one)
    assert.ok(await became(one, 'delivered'))
    await resendNotifications(database.db, { tradeNo: one.tradeNo }, new Date())
    assert.ok(await arrived(path, 2))
    assert.ok(await became(one, 'delivered'))
    const [first, second] = receiver.received(path)
    assert.equal(first?.body, second?.body)
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
    assert.equal((await attemptsOf(one)).length, 2)
    await assert.rejects(resendNotifications(database.db, { tradeNo: 'T0' }, new Date()), /no notification/)
  })

  test('resends all that failed since a time, and only those', async (t) => {
    const since = new Date()
    const worker = start(t, { minuteMs: 1 })
    const path = newPath()
    receiver.on(path, behaviours.error)
    const some = [aNotification(path), aNotification(path, { merNo: other.merNo })]
    await enqueue(...some)
    for (const one of some) assert.ok(await became(one, 'failed'))
    const later = new Date(Date.now() + 1_000)
    assert.equal(await recoverFailed(database.db, { since: later }, new Date()), 0)
    receiver.on(path, behaviours.ok)
    const wanted = { since, merNo: other.merNo }
    assert.equal(await recoverFailed(database.db, wanted, new Date()), 1)
    worker.poke()
    const [, ofOther] = some
    assert.ok(ofOther && (await became(ofOther, 'delivered')))
    assert.equal((await theOne(some[0] ?? ofOther)).state, 'failed')
    assert.equal((await theOne(ofOther)).failedAt, null)
  })

  test('pauses a merchant: nothing is sent until it is resumed, and then everything', async (t) => {
    const worker = start(t)
    const path = newPath()
    await pauseMerchant(database.db, other.merNo, new Date())
    const some = Array.from({ length: 50 }, () => aNotification(path, { merNo: other.merNo }))
    await enqueue(...some)
    const unpaused = newPath()
    await enqueue(aNotification(unpaused))
    worker.poke()
    assert.ok(await arrived(unpaused, 1))
    assert.ok(await staysFalse(() => receiver.received(path).length > 0, 1_200))
    assert.equal((await theOne(some[0] ?? aNotification(path))).paused, true)
    await resumeMerchant(database.db, other.merNo)
    assert.ok(await arrived(path, 50))
  })

  test('lists notifications by state and merchant', async () => {
    const lists = await Promise.all(
      notificationStates.map((state) => listNotifications(database.db, { merNo: shop.merNo, state })),
    )
    lists.forEach((list, at) => {
      const state = notificationStates[at]
      assert.ok(list.every((one) => one.state === state && one.merNo === shop.merNo))
    })
    assert.ok(lists[1] && lists[1].length > 0)
    assert.ok(lists[2] && lists[2].length > 0)
    assert.equal((await listNotifications(database.db, {})).length, 200)
  })

  test('sees overdue notifications in the watchdog, without those of paused merchants', async (t) => {
    const watchdog = startWatchdog({ db: database.db, clock: systemClock, log, everyMs: 5_000 })
    t.after(() => watchdog.stop())
    const before = (await watchdog.check()).overdue
    const at = new Date(Date.now() - 60_000)
    await enqueue(aNotification(newPath(), { at }), aNotification(newPath(), { at, merNo: other.merNo }))
    await pauseMerchant(database.db, other.merNo, new Date())
    const health = await watchdog.check()
    assert.equal(health.overdue, before + 1)
    assert.ok(health.oldestDueSeconds >= 59)
    await resumeMerchant(database.db, other.merNo)
  })
})

test('a result that cannot be recorded is tried eight times, and then the worker can stop', async () => {
  // The worker would also claim what other tests left due.
  await database.db.query({ text: 'delete from notifications' })
  let tries = 0
  const logged: string[] = []
  const unwritable: Db = {
    ...database.db,
    atOnce: (statements, options) => {
      if (statements[0]?.name !== 'notifications.record') return database.db.atOnce(statements, options)
      tries++
      return Promise.reject(new Error('the database is in recovery'))
    },
  }
  const stream = { write: (line: string) => void logged.push(line) }
  const path = newPath()
  const one = aNotification(path)
  await enqueue(one)
  const worker = startTestDelivery(unwritable, vault, { log: pino({ level: 'error' }, stream) })
  worker.poke()
  assert.ok(await arrived(path, 1))
  await worker.stop()
  assert.equal(tries, 8)
  assert.match(logged.join(), /an attempt could not be recorded/)
  assert.deepEqual(
    (await attemptsOf(one)).map(({ error }) => error),
    [null],
  )
  assert.equal(receiver.received(path).length, 1)
})
