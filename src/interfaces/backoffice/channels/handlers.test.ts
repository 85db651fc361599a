import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { pay } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { leaseWatcher, noteWork } from '../../../rails/toolkit/records/store-sql.ts'

let office: BackOffice
let admin: Person
before(async () => {
  office = await openBackOffice()
  admin = await office.operator()
})
after(() => office.close())

const reason = 'Maintenance at the acquirer'

async function card() {
  const { channels } = await admin.call('GET /channels', {})
  const found = channels.find(({ methods }) => methods.includes('card'))
  assert.ok(found)
  return found
}

test('a check asks the counterparty, and a channel that is not there is not found', async () => {
  const { name } = await card()
  const { isRight } = await admin.call('POST /channels/:name/check', { params: { name } })
  assert.equal(isRight, true)
  const absent = await admin.attempt('POST /channels/:name/check', { params: { name: 'none' } })
  assert.equal(absent.status, 404)
  const { channels } = await admin.call('GET /channels', {})
  const payouts = channels.find((one) => one.name === 'payout-bank')
  assert.ok(payouts?.methods.includes('payout_bank'))
})

test('a channel names its settings and shows no value of them', async () => {
  const { protocol, settings } = await card()
  assert.equal(protocol, 'bridge')
  assert.ok(settings.includes('secret') && !settings.includes('methods'), settings.join())
  assert.doesNotMatch(JSON.stringify(await admin.call('GET /channels', {})), /https?:/)
})

test('a channel whose background work fails says since when and why', async () => {
  const { name, workFails } = await card()
  assert.equal(workFails, null)
  const now = new Date()
  const until = new Date(now.getTime() + 60_000)
  await leaseWatcher(office.db, { channel: name, node: randomUUID(), now, until })
  await noteWork(office.db, name, { at: now, why: 'fill the account' })
  assert.deepEqual((await card()).workFails, { since: now.toISOString(), why: 'fill the account' })
  await noteWork(office.db, name, undefined)
  assert.equal((await card()).workFails, null)
})

test('a paused channel gets no new payments until it is resumed', async () => {
  const { name } = await card()
  await admin.call('POST /channels/:name/pause', { params: { name }, body: { reason } })
  assert.ok(await eventually(async () => (await pay(office.demo)).code === '10011'))
  const paused = await card()
  assert.deepEqual({ by: paused.paused?.by, reason: paused.paused?.reason }, { by: admin.email, reason })
  const again = await admin.attempt('POST /channels/:name/pause', { params: { name }, body: { reason } })
  assert.equal(again.problem?.code, 'refused')
  await admin.call('POST /channels/:name/resume', { params: { name }, body: { reason: 'Back' } })
  assert.ok(await eventually(async () => (await pay(office.demo)).code === '00000'))
  const lines = await office.db.query({
    text: `select action, actor, reason from audit_log where subject = $1 order by entry_id`,
    values: [name],
  })
  assert.deepEqual(lines, [
    { action: 'channel.pause', actor: admin.email, reason },
    { action: 'channel.resume', actor: admin.email, reason: 'Back' },
  ])
})

test('a channel shows how it answered in the last hour', async () => {
  await pay(office.demo)
  await pay(office.demo, { cardNo: '4000000000000002' })
  assert.ok(await eventually(async () => (await card()).lastHour.declined === 1))
  const { lastHour } = await card()
  assert.ok(lastHour.answered >= 1 && lastHour.calls >= 2 && lastHour.meanMs !== null)
})

test('the queues count what waits for operators', async () => {
  const before = await admin.call('GET /queues', {})
  await admin.call('POST /merchants', {
    body: { name: 'Waiting shop', sites: ['waiting.example'], reason: 'New' },
  })
  const after = await admin.call('GET /queues', {})
  assert.equal(after.merchantsToApprove, before.merchantsToApprove)
  assert.equal(after.unknownOutcomes, 0)
})
