import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { aPayment, aSuccess, noRates } from '../../../test/builders/builders.ts'
import { behaviours, openReceiver, type Receiver } from '../../../test/counterparties/receiver.ts'
import { startTestDelivery } from '../../../test/harness/delivery.ts'
import { eventually, staysFalse } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { makeId } from '../../platform/base/id.ts'
import { openVault } from '../../platform/base/secret.ts'
import { type Db, isPreconditionFailed, type Tx } from '../../platform/postgres/db.ts'
import { sweep } from '../../platform/postgres/sweep.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { readOptions } from '../merchants/options.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { openRecordBatch } from '../payments/record-outcomes.ts'
import { resultOf } from './attempt.ts'
import { type Claimed, claimDue, countQueue, sweptNotifications } from './claim-sql.ts'
import { type HandOver, openOutbox } from './hand-over.ts'
import { listAttempts, listNotifications } from './list-notifications.ts'
import type { Notification } from './notification.ts'
import { pauseMerchant, resumeMerchant } from './pause-merchant.ts'
import { resendNotifications } from './resend-notifications.ts'
import { recordResults } from './sql.ts'
import type { DeliveryDeps, DeliveryWorker } from './worker.ts'

const vault = openVault(randomBytes(32))
let receiver: Receiver
let merNo: number

const database = useDatabase({
  async before({ db }) {
    receiver = await openReceiver()
    const options = readOptions({ name: 'Shop', sites: ['shop.example'] })
    const wanted = { options, pending: false, now: new Date() }
    merNo = (await db.transaction((tx) => createMerchant(tx, vault, wanted))).merNo
  },
  after: () => receiver.close(),
})

function start(t: TestContext, changes?: Partial<DeliveryDeps>): DeliveryWorker {
  const worker = startTestDelivery(database.db, vault, changes)
  t.after(() => worker.stop())
  return worker
}

function aNotification(path: string, isFirst = true): Notification {
  const at = new Date()
  const tradeNo = makeId('T', merNo, at)
  const fields = { tradeNo, merOrderNo: 'order-1', code: '0', message: 'Approved' }
  return { merNo, tradeNo, event: 'payment', url: receiver.url + path, fields, at, isFirst }
}

/** Inserts the notification, and returns the function to call after the commit. */
async function insert(worker: HandOver, one: Notification): Promise<() => void> {
  const outbox = openOutbox(worker)
  await database.db.atOnce(outbox.insert([one]))
  return outbox.committed
}

async function theOne({ tradeNo }: Pick<Notification, 'tradeNo'>) {
  const [found] = await listNotifications(database.db, { tradeNo })
  assert.ok(found)
  return found
}

/** Returns the number and error of each attempt, in order. */
async function attemptsOf(one: Pick<Notification, 'tradeNo'>) {
  const { notificationId } = await theOne(one)
  const attempts = await listAttempts(database.db, merNo, notificationId)
  return attempts.map(({ attemptNo, error }) => [attemptNo, error]).sort()
}

const isDelivered = (one: Pick<Notification, 'tradeNo'>) =>
  eventually(async () => (await theOne(one)).state === 'delivered')

/** Returns how many notifications any worker could claim now. */
const claimable = async () => {
  const now = new Date()
  return (await claimDue(database.db, { now, until: now }, { excluded: [] })).length
}

/** Returns the due time of the notification. Null for a notification that was handed over and not swept yet. */
async function dueTime({ tradeNo }: Pick<Notification, 'tradeNo'>): Promise<Date | null> {
  const text = 'select due_at from notifications where trade_no = $1'
  const [row] = await database.db.query<{ due_at: Date | null }>({ text, values: [tradeNo] })
  assert.ok(row)
  return row.due_at
}

/** Returns how many updates this transaction made, and how many were heap-only, so that they wrote to no index. */
async function updatesOf(tx: Tx) {
  const [row] = await tx.query<{ all: number; heapOnly: number }>({
    text: `select pg_stat_get_xact_tuples_updated(oid)::int as all,
        pg_stat_get_xact_tuples_hot_updated(oid)::int as "heapOnly"
      from pg_class where relname = 'notifications'`,
  })
  assert.ok(row)
  return row
}

/** Sweeps until the notification has its due time, because a sweep of the worker may be in progress. */
async function sweepIt(one: Pick<Notification, 'tradeNo'>): Promise<void> {
  const isSwept = async () => {
    await sweep(database.db, sweptNotifications)
    return (await dueTime(one)) !== null
  }
  assert.ok(await eventually(isSwept))
}

const countPending = async () => (await countQueue(database.db, new Date())).pending

const remove = ({ tradeNo }: Pick<Notification, 'tradeNo'>) =>
  database.db.query({ text: 'delete from notifications where trade_no = $1', values: [tradeNo] })

test('a notification that is handed over is delivered by its first attempt, and nobody can claim it', async (t) => {
  const worker = start(t)
  const one = aNotification('/handed')
  const committed = await insert(worker, one)
  assert.equal(await claimable(), 0)
  assert.equal((await theOne(one)).attempts, 1)
  assert.equal(receiver.received('/handed').length, 0)
  committed()
  assert.ok(await isDelivered(one))
  assert.deepEqual(await attemptsOf(one), [[1, null]])
  assert.equal((await theOne(one)).status, 200)
  assert.equal(receiver.received('/handed').length, 1)
})

test('the body and its signature are those of a notification that was claimed', async (t) => {
  const worker = start(t)
  const one = aNotification('/alike')
  const claimed = { ...one, isFirst: false }
  ;(await insert(worker, claimed))()
  assert.ok(await isDelivered(claimed))
  const again = { ...one, tradeNo: makeId('T', merNo, one.at) }
  ;(await insert(worker, again))()
  assert.ok(await isDelivered(again))
  const [first, second] = receiver.received('/alike')
  assert.equal(first?.body, second?.body)
})

test('one that is handed over has no due time and is pending; its acknowledgement writes to no index', async () => {
  const taken: Claimed[] = []
  const worker: HandOver = {
    offer: () => ({ leasedUntil: new Date(), excluded: [] }),
    deliver: (claimed) => taken.push(...claimed),
    release: () => {},
    poke: () => {},
  }
  const one = aNotification('/heap-only')
  ;(await insert(worker, one))()
  assert.equal(await dueTime(one), null)
  const { state, dueAt } = await theOne(one)
  assert.deepEqual({ state, dueAt }, { state: 'pending', dueAt: one.at })
  for (const filter of [{}, { merNo }, { tradeNo: one.tradeNo }]) {
    const pending = await listNotifications(database.db, { ...filter, state: 'pending' })
    assert.deepEqual(
      pending.map(({ tradeNo }) => tradeNo),
      [one.tradeNo],
    )
  }
  assert.equal(await countPending(), 1)

  const outcome = { latencyMs: 1, status: 200, answer: 'SUCCESS', error: undefined, unreachable: false }
  const ended = { outcome, leftAt: one.at, finishedAt: one.at, minuteMs: 60_000 }
  const results = taken.map((claimed) => resultOf({ claimed, body: '' }, ended))
  let [all, heapOnly] = [0, 0]
  const counting: Db = {
    ...database.db,
    atOnce: (statements) =>
      database.db.transaction(async (tx) => {
        const before = await updatesOf(tx)
        for (const statement of statements) await tx.query(statement)
        const now = await updatesOf(tx)
        ;[all, heapOnly] = [now.all - before.all, now.heapOnly - before.heapOnly]
      }),
  }
  await recordResults(counting, results)
  assert.deepEqual({ all, heapOnly }, { all: 1, heapOnly: 1 })
  const delivered = await theOne(one)
  assert.deepEqual({ state: delivered.state, dueAt: delivered.dueAt }, { state: 'delivered', dueAt: null })
  assert.deepEqual(await listNotifications(database.db, { state: 'pending' }), [])
  assert.equal(await countPending(), 0)
})

test('a sweep gives a due time to what is still under way, and its attempt ends like every other', async (t) => {
  const worker = start(t)
  const one = aNotification('/swept')
  const committed = await insert(worker, one)
  await sweepIt(one)
  assert.deepEqual(await dueTime(one), one.at)
  assert.equal(await countPending(), 1)
  assert.equal((await listNotifications(database.db, { state: 'pending' })).length, 1)
  assert.equal(await claimable(), 0)
  committed()
  assert.ok(await isDelivered(one))
  assert.deepEqual(await attemptsOf(one), [[1, null]])
  assert.equal(await dueTime(one), null)
})

test('a first attempt that fails is repeated by the schedule, swept or not', async (t) => {
  const worker = start(t)
  for (const isSwept of [false, true]) {
    const one = aNotification('/refused')
    receiver.on('/refused', behaviours.error)
    const committed = await insert(worker, one)
    if (isSwept) await sweepIt(one)
    committed()
    assert.ok(await eventually(async () => (await theOne(one)).error !== null))
    const { dueAt, state } = await theOne(one)
    assert.equal(state, 'retrying')
    assert.ok(dueAt !== null && dueAt.getTime() >= one.at.getTime() + 60_000)
    await remove(one)
  }
})

test('a resend during the attempt that was handed over is sent after it', async (t) => {
  const worker = start(t)
  const one = aNotification('/again')
  const committed = await insert(worker, one)
  await resendNotifications(database.db, { tradeNo: one.tradeNo }, new Date())
  assert.equal(await claimable(), 0)
  committed()
  assert.ok(await eventually(() => receiver.received('/again').length === 2))
  assert.ok(await isDelivered(one))
})

test('a later event of the order waits while the first one is handed over', async (t) => {
  const one = aNotification('/turn')
  const second = { ...aNotification('/turn', false), tradeNo: one.tradeNo }
  const worker = start(t)
  const committed = await insert(worker, one)
  ;(await insert(worker, second))()
  assert.ok(await staysFalse(() => receiver.received('/turn').length > 0, 300))
  committed()
  assert.ok(await eventually(() => receiver.received('/turn').length === 2))
})

test('what was committed and never sent counts as an attempt, and the next one is sent when the lease is over', async (t) => {
  const logged: string[] = []
  const log = pino({}, { write: (line: string) => void logged.push(line) })
  const worker = start(t, { timeoutMs: 100, minuteMs: 10, log })
  const one = aNotification('/lost')
  await insert(worker, one)
  assert.ok(await eventually(() => receiver.received('/lost').length === 1))
  assert.ok(await isDelivered(one))
  assert.deepEqual(await attemptsOf(one), [
    [1, 'the worker ended before the answer came'],
    [2, null],
  ])
  const warnings = logged.filter((line) => line.includes('a worker died during attempts'))
  assert.deepEqual(
    warnings.map((line) => JSON.parse(line).reaped),
    [1],
  )
})

test('what may not be committed is released, and its first attempt is still to come', async (t) => {
  const worker = start(t)
  const one = aNotification('/uncertain')
  const outbox = openOutbox(worker)
  await database.db.atOnce(outbox.insert([one]))
  outbox.uncertain()
  assert.ok(await isDelivered(one))
  assert.deepEqual(await attemptsOf(one), [[1, null]])
})

test('payments of a batch are delivered by the first attempt, once each, although one report fails it', async (t) => {
  const { db } = database
  const record = openRecordBatch({ db, rates: noRates, delivery: start(t) })
  const payments = Array.from({ length: 5 }, () => aPayment({ merNo, notifyUrl: `${receiver.url}/batch` }))
  await acceptPayments(db, payments.slice(1))
  const results = await Promise.allSettled(payments.map((payment) => record.submit(aSuccess(payment))))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
  )
  for (const payment of payments.slice(1)) {
    assert.ok(await isDelivered(payment))
    assert.deepEqual(await attemptsOf(payment), [[1, null]])
  }
  assert.equal(receiver.received('/batch').length, 4)
})

test('a later event of an order is not handed over, and is claimed', async (t) => {
  const worker = start(t)
  const one = aNotification('/later', false)
  const committed = await insert(worker, one)
  committed()
  assert.ok(await isDelivered(one))
})

test('the worker is woken after the commit of a notification that it must claim, and of no other', async () => {
  let wakes = 0
  const worker: HandOver = {
    offer: () => ({ leasedUntil: new Date(), excluded: [] }),
    deliver: () => {},
    release: () => {},
    poke: () => void wakes++,
  }
  for (const [isFirst, expected] of [
    [true, 0],
    [false, 1],
  ] as const) {
    const one = aNotification('/woken', isFirst)
    const committed = await insert(worker, one)
    assert.equal(wakes, 0)
    committed()
    assert.equal(wakes, expected)
    await remove(one)
  }
})

test('a worker that stops takes nothing more', async () => {
  const worker = startTestDelivery(database.db, vault)
  const one = aNotification('/stopped')
  const committed = await insert(worker, one)
  await worker.stop()
  assert.equal(worker.offer(), undefined)
  committed()
  const isPutBack = async () => (await theOne(one)).attempts === 0
  assert.ok(await eventually(isPutBack))
  assert.equal(receiver.received('/stopped').length, 0)
  await remove(one)
})

test('a pause that the worker has not seen yet refuses the transaction; one that it has seen is respected', async (t) => {
  const worker = start(t)
  const one = aNotification('/paused')
  const outbox = openOutbox(worker)
  const statements = outbox.insert([one])
  await pauseMerchant(database.db, merNo, new Date())
  t.after(() => resumeMerchant(database.db, merNo))
  await assert.rejects(database.db.atOnce(statements), isPreconditionFailed)
  assert.deepEqual(await listNotifications(database.db, { tradeNo: one.tradeNo }), [])
  assert.ok(await eventually(() => worker.offer()?.excluded.includes(merNo) ?? false))
  ;(await insert(worker, one))()
  assert.equal((await theOne(one)).attempts, 0)
  assert.equal(receiver.received('/paused').length, 0)
})
