import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { aPayment } from '../../../../test/builders/builders.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { pay } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'

let office: BackOffice
let developer: Person
let shop: Server
let answer = 'SUCCESS'
let received = 0

before(async () => {
  shop = createServer((request, response) => {
    request.resume().on('end', () => {
      received++
      response.end(answer)
    })
  }).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  office = await openBackOffice({ TOLLGATE_MINUTE_MS: '5' })
  developer = await office.person(office.demo.merNo, 'developer')
})
after(async () => {
  await office.close()
  shop.close()
})

async function paid(): Promise<string> {
  const { port } = shop.address() as AddressInfo
  const reply = await pay(office.demo, { notifyUrl: `http://127.0.0.1:${port}/notify` })
  assert.equal(reply.code, '00000')
  return String(reply.data.tradeNo)
}

async function notificationOf(tradeNo: string, state: 'pending' | 'retrying' | 'delivered' | 'failed') {
  const find = async () => (await developer.call('GET /notifications', { query: { tradeNo, state } })).rows[0]
  await eventually(async () => (await find()) !== undefined)
  const found = await find()
  assert.ok(found)
  return found
}

type Line = { readonly actor: string; readonly reason: string | null; readonly after: unknown }

async function audit(action: string, merNo = office.demo.merNo): Promise<Line[]> {
  return await office.db.query({
    text: 'select actor, reason, after from audit_log where mer_no = $1 and action = $2 order by entry_id',
    values: [merNo, action],
  })
}

test('a delivered notification shows its body and the answer of each attempt', async () => {
  answer = 'SUCCESS'
  const tradeNo = await paid()
  const row = await notificationOf(tradeNo, 'delivered')
  assert.deepEqual(
    { event: row.event, attempts: row.attempts, status: row.status, error: row.error },
    { event: 'payment', attempts: 1, status: 200, error: null },
  )
  const params = { notificationId: row.notificationId }
  const whole = await developer.call('GET /notifications/:notificationId', { params })
  assert.equal(whole.contentType, 'form')
  assert.deepEqual(whole.acknowledgedBy, ['SUCCESS', 'success'])
  assert.equal(whole.deliveries.length, 1)
  assert.equal(whole.deliveries[0]?.answer, 'SUCCESS')
})

test('a failed notification is sent again, one or all, and each time there is a line in the audit log', async () => {
  answer = 'no'
  const [one, two] = [await paid(), await paid()]
  const failed = await notificationOf(one, 'failed')
  await notificationOf(two, 'failed')
  assert.equal(failed.attempts, 9)
  answer = 'SUCCESS'
  const before = received
  await developer.call('POST /notifications/:notificationId/resend', {
    params: { notificationId: failed.notificationId },
  })
  await notificationOf(one, 'delivered')
  assert.equal(received, before + 1)
  assert.deepEqual(
    (await audit('notification.resend')).map(({ actor }) => actor),
    [developer.email],
  )
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const count = (dryRun: boolean) =>
    developer.call('POST /notifications/resend-failed', { query: {}, body: { since, dryRun } })
  assert.deepEqual(await count(true), { count: 1, retrying: 0 })
  assert.deepEqual(await audit('notification.resend-failed'), [])
  assert.deepEqual(await count(false), { count: 1, retrying: 0 })
  await notificationOf(two, 'delivered')
  const [line] = await audit('notification.resend-failed')
  assert.deepEqual(line?.after, { since, count: 1, retrying: 0 })
  assert.deepEqual(await count(false), { count: 0, retrying: 0 })
})

test('a notification that failed and is tried again says why it failed, and when the next attempt is', async () => {
  const patient = await openBackOffice()
  try {
    const owner = await patient.person(patient.demo.merNo, 'owner')
    await pay(patient.demo, { notifyUrl: 'http://127.0.0.1:9/closed' })
    const listed = async () => (await owner.call('GET /notifications', { query: { state: 'retrying' } })).rows
    assert.ok(await eventually(async () => (await listed()).length > 0))
    const [row] = await listed()
    assert.ok(row)
    assert.match(row.error ?? '', /^the connection was refused/)
    assert.ok(Date.parse(row.dueAt ?? '') > Date.parse(row.madeAt))
    const { notificationId } = row
    const whole = await owner.call('GET /notifications/:notificationId', { params: { notificationId } })
    assert.deepEqual([whole.state, whole.error, whole.dueAt], ['retrying', row.error, row.dueAt])
    assert.deepEqual((await owner.call('GET /notifications', { query: { state: 'pending' } })).rows, [])
    const { groups } = await owner.call('GET /search', { query: { q: notificationId } })
    const [shown] = groups[0]?.rows ?? []
    assert.deepEqual([shown?.note, shown?.state], ['payment', 'retrying'])
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const body = { since, dryRun: false }
    assert.deepEqual(await owner.call('POST /notifications/resend-failed', { query: {}, body }), {
      count: 1,
      retrying: 1,
    })
    assert.ok(await eventually(async () => ((await listed())[0]?.attempts ?? 0) > 1))
  } finally {
    await patient.close()
  }
})

test('an operator sends the failed ones of all merchants again, and staff only their own', async () => {
  answer = 'no'
  const tradeNo = await paid()
  await notificationOf(tradeNo, 'failed')
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const stranger = await office.person(office.demo.merNo + 1, 'owner')
  const input = { query: {}, body: { since, dryRun: false, reason: 'The network was down' } }
  assert.deepEqual(await stranger.call('POST /notifications/resend-failed', input), { count: 0, retrying: 0 })
  answer = 'SUCCESS'
  const operator = await office.operator()
  assert.deepEqual(await operator.call('POST /notifications/resend-failed', input), { count: 1, retrying: 0 })
  await notificationOf(tradeNo, 'delivered')
  const [line] = await audit('notification.resend-failed', 0)
  assert.deepEqual(
    { actor: line?.actor, reason: line?.reason },
    { actor: operator.email, reason: 'The network was down' },
  )
})

test('a pause stops deliveries until it is lifted', async () => {
  answer = 'SUCCESS'
  const pause = (paused: boolean) =>
    developer.call('PUT /notifications/pause', { query: {}, body: { paused, reason: 'The shop moves.' } })
  assert.deepEqual(await pause(true), { paused: true })
  const tradeNo = await paid()
  await notificationOf(tradeNo, 'pending')
  assert.equal((await developer.call('GET /notifications', { query: {} })).paused, true)
  assert.deepEqual(await pause(false), { paused: false })
  await notificationOf(tradeNo, 'delivered')
  assert.equal((await audit('notification.pause'))[0]?.reason, 'The shop moves.')
  assert.equal((await audit('notification.resume')).length, 1)
})

test('the list is narrowed by event and time', async () => {
  const count = async (query: { event?: 'payment' | 'refund'; from?: string; until?: string }) =>
    (await developer.call('GET /notifications', { query })).rows.length
  assert.ok((await count({})) >= 4)
  assert.equal(await count({ event: 'payment' }), await count({}))
  assert.equal(await count({ event: 'refund' }), 0)
  const later = new Date(Date.now() + 60_000).toISOString()
  assert.equal(await count({ from: later }), 0)
  assert.equal(await count({ until: later }), await count({}))
})

test("another merchant's notifications look as if they did not exist", async () => {
  const { rows } = await developer.call('GET /notifications', { query: {} })
  const params = { notificationId: rows[0]?.notificationId ?? '' }
  const stranger = await office.person(office.demo.merNo + 1, 'owner')
  for (const name of [
    'GET /notifications/:notificationId',
    'POST /notifications/:notificationId/resend',
  ] as const)
    assert.equal((await stranger.attempt(name, { params })).problem?.code, 'not-found')
  assert.deepEqual((await stranger.call('GET /notifications', { query: {} })).rows, [])
  const operator = await office.operator()
  assert.ok(await operator.call('GET /notifications/:notificationId', { params }))
})

test('the notifications of chosen orders are sent again, for orders of the own merchant only', async () => {
  answer = 'SUCCESS'
  const tradeNos = [await paid(), await paid()]
  for (const tradeNo of tradeNos) await notificationOf(tradeNo, 'delivered')
  const before = received
  const { tradeNo: silent } = aPayment({ merNo: office.demo.merNo })
  const lines = (await audit('notification.resend')).length
  const body = { tradeNos: [...tradeNos, silent] }
  const sent = await developer.call('POST /notifications/resend', { body })
  assert.deepEqual(sent, { orders: 2, without: 1 })
  assert.ok(await eventually(async () => received >= before + 2))
  assert.equal((await audit('notification.resend')).length, lines + 2)
  const foreign = await developer.attempt('POST /notifications/resend', {
    body: { tradeNos: [tradeNos[0] ?? '', 'T1KZFEDTA40002NX0V7H8Y2MQ1PX'] },
  })
  assert.equal(foreign.problem?.code, 'not-found')
})
