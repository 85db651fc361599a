import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { useDatabase } from '../../../test/harness/harness.ts'
import { assertSkipsLocked, waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import { makeId } from '../../platform/base/id.ts'
import {
  type Claimed,
  claimDue,
  claimParked,
  countUntried,
  inLockOrder,
  parkDue,
  putBack,
  reapDead,
} from './claim-sql.ts'
import { enqueueNotifications } from './enqueue-notifications.ts'
import { listAttempts, listNotifications } from './list-notifications.ts'
import { type NotificationState, notificationStates } from './notification.ts'
import { resendNotifications } from './resend-notifications.ts'
import { leaseMs, nextDueAt, TIMEOUT_MS, waitsMs } from './schedule.ts'
import { type AttemptResult, recordResults } from './sql.ts'

const MINUTE_MS = 60_000
const LEASE_MS = leaseMs(TIMEOUT_MS)
const waits = waitsMs(MINUTE_MS)
const merNo = 10_000_001
let now: Date
let tradeNo: string

const database = useDatabase()
beforeEach(async () => {
  await database.db.query({ text: 'delete from notifications' })
  now = new Date('2026-11-15T12:00:00Z')
  tradeNo = makeId('T', merNo, now)
  const url = 'https://shop.example/hook'
  const one = { merNo, tradeNo, event: 'payment', url, fields: { tradeNo }, at: now } as const
  await database.db.transaction((tx) => enqueueNotifications(tx, [one]))
})

const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const lease = () => ({ now, until: new Date(now.getTime() + LEASE_MS) })

async function claim(): Promise<Claimed> {
  const [claimed, ...more] = await claimDue(database.db, lease(), { excluded: [] })
  assert.ok(claimed !== undefined && more.length === 0)
  return claimed
}

const reap = () => reapDead(database.db, { now, leaseMs: LEASE_MS, waits })
const claimNothing = async () => assert.deepEqual(await claimDue(database.db, lease(), { excluded: [] }), [])

function resultOf(claimed: Claimed, acknowledged: boolean): AttemptResult {
  const delivery = claimed.attemptNo - claimed.roundStart
  const next = acknowledged ? undefined : nextDueAt(now, delivery, MINUTE_MS)
  const error = acknowledged ? undefined : 'answered 500'
  const times = { leftAt: now, finishedAt: now, latencyMs: 5, nextDueAt: next }
  return { ...claimed, ...times, body: undefined, status: 200, answer: 'x', error }
}

const end = (claimed: Claimed, acknowledged: boolean) =>
  recordResults(database.db, [resultOf(claimed, acknowledged)])

async function standing() {
  const [found] = await listNotifications(database.db, { tradeNo })
  assert.ok(found)
  return found
}

async function attempts(): Promise<(string | null)[]> {
  const { notificationId } = await standing()
  return (await listAttempts(database.db, merNo, notificationId)).map(({ error }) => error).reverse()
}

test('a notification under way is not claimed again; one that was put back is, without a trace', async () => {
  const claimed = await claim()
  await claimNothing()
  await putBack(database.db, [claimed], false)
  assert.deepEqual(await attempts(), [])
  assert.equal((await claim()).attemptNo, 1)
})

test('an attempt is listed from its claim on, and once however often its result is recorded', async () => {
  const claimed = await claim()
  const { notificationId } = await standing()
  const [underWay] = await listAttempts(database.db, merNo, notificationId)
  assert.deepEqual(
    { attemptNo: underWay?.attemptNo, startedAt: underWay?.startedAt, finishedAt: underWay?.finishedAt },
    { attemptNo: 1, startedAt: now, finishedAt: null },
  )
  await end(claimed, false)
  await end(claimed, false)
  assert.deepEqual(await attempts(), ['answered 500'])
  assert.equal((await standing()).attempts, 1)
})

test('a dead attempt counts: the next is due by the schedule from when it was claimed', async () => {
  await claim()
  later(20_000)
  assert.equal(await reap(), 1)
  await claimNothing()
  assert.equal((await standing()).dueAt?.toISOString(), '2026-11-15T12:01:00.000Z')
  later(40_000)
  assert.equal((await claim()).attemptNo, 2)
})

test('a notification is given up after nine dead attempts', async () => {
  for (let delivery = 1; delivery <= 9; delivery++) {
    assert.equal((await claim()).attemptNo, delivery)
    later(20_000)
    await reap()
    later(waits[delivery - 1] ?? 0)
  }
  assert.equal((await standing()).state, 'failed')
  await claimNothing()
})

test('an acknowledgement after the end of the lease counts, and ends later deliveries', async () => {
  const late = await claim()
  later(20_000)
  await reap()
  later(60_000)
  const second = await claim()
  await end(late, true)
  assert.equal((await standing()).state, 'delivered')
  await end(second, false)
  assert.equal((await standing()).state, 'delivered')
  later(waits[7] ?? 0)
  await claimNothing()
})

for (const acknowledged of [1, 2]) {
  for (const order of ['in order', 'the later one first']) {
    test(`two attempts that end in one batch both count: ${acknowledged} acknowledged, ${order}`, async () => {
      const outlived = await claim()
      later(21_000)
      await reap()
      later(60_000)
      const both = [outlived, await claim()].map((one) => resultOf(one, one.attemptNo === acknowledged))
      await recordResults(database.db, order === 'in order' ? both : both.reverse())
      const { deliveredAt, dueAt, state } = await standing()
      assert.deepEqual({ state, deliveredAt, dueAt }, { state: 'delivered', deliveredAt: now, dueAt: null })
      assert.equal((await attempts()).filter((error) => error === null).length, 1)
    })
  }
}

test('two nodes that record the same notifications lock them in the same order', async () => {
  const otherNo = makeId('T', merNo, now)
  const url = 'https://shop.example/hook'
  const other = { merNo, tradeNo: otherNo, event: 'payment', url, fields: {}, at: now } as const
  await database.db.transaction((tx) => enqueueNotifications(tx, [other]))
  const claimed = inLockOrder(await claimDue(database.db, lease(), { excluded: [] }))
  const [first, second] = claimed
  assert.ok(first && second)
  const lock = ({ notificationId }: Claimed) => ({
    text: 'select from notifications where mer_no = $1 and notification_id = $2 for update nowait',
    values: [merNo, notificationId],
  })
  const { recorded } = await database.db.transaction(async (tx) => {
    await tx.query(lock(first))
    const results = claimed.toReversed().map((one) => resultOf(one, true))
    const recording = recordResults(database.db, results)
    await waitUntilSomebodyWaits(database.db)
    await tx.query(lock(second))
    return { recorded: recording }
  })
  await recorded
  assert.equal((await standing()).state, 'delivered')
})

test('a resend during an attempt is sent after it, whatever its result', async () => {
  for (const acknowledged of [true, false]) {
    const underWay = await claim()
    await resendNotifications(database.db, { tradeNo }, now)
    await claimNothing()
    await end(underWay, acknowledged)
    assert.equal((await standing()).state, 'pending')
    const again = await claim()
    assert.equal(again.attemptNo - again.roundStart, 1)
    await end(again, true)
    assert.equal((await standing()).state, 'delivered')
    await resendNotifications(database.db, { tradeNo }, now)
  }
})

test('a round that is not acknowledged does not undo an acknowledgement', async () => {
  await end(await claim(), true)
  await resendNotifications(database.db, { tradeNo }, now)
  for (let delivery = 1; delivery <= 9; delivery++) {
    await end(await claim(), false)
    later(waits[delivery - 1] ?? 0)
  }
  const { state, attempts: made, failedAt } = await standing()
  assert.deepEqual({ state, made, failedAt }, { state: 'delivered', made: 10, failedAt: null })
})

test('a notification is retrying from its first failed attempt on, with the reason, until it ends', async () => {
  const stands = async (state: NotificationState, error: string | null) => {
    const found = await standing()
    assert.deepEqual({ state: found.state, error: found.error }, { state, error })
    for (const other of notificationStates) {
      const listed = await listNotifications(database.db, { merNo, state: other })
      assert.equal(listed.length, other === state ? 1 : 0, `${other} while ${state}`)
    }
  }
  await stands('pending', null)
  const first = await claim()
  await stands('pending', null)
  await end(first, false)
  await stands('retrying', 'answered 500')
  assert.deepEqual((await standing()).dueAt, new Date(now.getTime() + MINUTE_MS))
  later(MINUTE_MS)
  const second = await claim()
  await stands('retrying', 'answered 500')
  await end(second, true)
  await stands('delivered', null)
  await resendNotifications(database.db, { tradeNo }, now)
  await stands('pending', null)
  const again = await claim()
  await stands('pending', null)
  await end(again, false)
  await stands('retrying', 'answered 500')
})

test('parked notifications leave the common queue, and are claimed as their merchant has slots', async () => {
  assert.equal(await parkDue(database.db, [merNo + 1], now), 0)
  assert.equal(await parkDue(database.db, [merNo], now), 1)
  await claimNothing()
  assert.equal((await claimParked(database.db, lease(), [{ merNo, slots: 5 }])).length, 1)
  assert.equal((await claimParked(database.db, lease(), [{ merNo, slots: 5 }])).length, 0)
})

test('a delivery without a slot until the next one is due counts as not tried, up to the ninth', async () => {
  for (let delivery = 1; delivery <= 9; delivery++) {
    await parkDue(database.db, [merNo], now)
    const wait = waits[Math.min(delivery, 8) - 1] ?? 0
    later(wait)
    assert.equal(await countUntried(database.db, [merNo], now, waits, 30_000), 0, `delivery ${delivery}`)
    later(1)
    assert.equal(await countUntried(database.db, [merNo], now, waits, 30_000), 1, `delivery ${delivery}`)
    later(wait)
  }
  assert.equal((await standing()).state, 'failed')
  const errors = await attempts()
  assert.equal(errors.length, 9)
  assert.ok(errors.every((error) => error?.startsWith('not tried')))
})

test('excluded merchants are skipped, by a deep claim too', async () => {
  for (const deep of [false, true]) {
    assert.deepEqual(await claimDue(database.db, lease(), { excluded: [merNo], deep }), [])
  }
  assert.equal((await claimDue(database.db, lease(), { excluded: [], deep: true })).length, 1)
})

/** The statements that claim notifications. Each function makes the one notification due for its claim. */
const claims: Readonly<Record<string, () => Promise<() => Promise<number>>>> = {
  'a claim': async () => async () => (await claimDue(database.db, lease(), { excluded: [] })).length,
  'a claim among any number of rows': async () => async () =>
    (await claimDue(database.db, lease(), { excluded: [], deep: true })).length,
  async 'a claim of parked notifications'() {
    await parkDue(database.db, [merNo], now)
    return async () => (await claimParked(database.db, lease(), [{ merNo, slots: 5 }])).length
  },
  parking: async () => () => parkDue(database.db, [merNo], now),
  async 'the end of dead attempts'() {
    await claim()
    later(20_000)
    return reap
  },
  async 'the count of untried deliveries'() {
    await parkDue(database.db, [merNo], now)
    later(MINUTE_MS + 1)
    return () => countUntried(database.db, [merNo], now, waits, 30_000)
  },
}

for (const [name, prepare] of Object.entries(claims))
  test(`${name} leaves out rows that another transaction has locked`, async () => {
    const run = await prepare()
    const text = 'select from notifications for update'
    await assertSkipsLocked(database.db, { lock: (tx) => tx.query({ text }), claim: run })
  })
