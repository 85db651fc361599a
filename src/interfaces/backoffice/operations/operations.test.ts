// The start page of operators, and the checks of the installation.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { pay } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { type CountStep, writeCounts } from '../../../money/order-queries/search/write-index.ts'
import { State, type StateNumber } from '../../../money/orders/order.ts'
import { bookSuspense } from '../../../money/suspense/book-suspense.ts'
import { localTime } from '../../../platform/base/local-day.ts'
import { addHealth } from '../../../rails/routing/sql.ts'

let office: BackOffice
let admin: Person
before(async () => {
  office = await openBackOffice()
  admin = await office.operator()
})
after(() => office.close())

test('what waits is counted with its age, and the payments of all merchants add up', async () => {
  const { db, demo } = office
  const at = new Date(Date.now() - 3_600_000)
  const money = { amount: 500n, currency: 'USD' }
  const item = { merNo: 0, channel: 'card', reference: 'stray', origin: 'channel', why: 'unmatched' } as const
  await db.transaction((tx) => bookSuspense(tx, [{ ...item, money, at }]))
  const { data } = await pay(demo, { sourceAmount: '10.00' })
  const body = { tradeNo: String(data.tradeNo), reasonCode: '4853', reason: 'By mail' }
  await admin.call('POST /disputes', { body })
  const read = () => admin.call('GET /operations', {})
  const readPayments = () => admin.call('GET /operations/payments', {})
  const isCounted = async () => (await readPayments()).total?.today.paid === 1
  assert.ok(await eventually(isCounted))
  const { queues, disputesDue, channels, verify } = await read()
  assert.deepEqual(queues.suspenseToDecide, { count: 1, since: at.toISOString() })
  assert.deepEqual({ open: queues.disputesOpen.count, due: disputesDue.count }, { open: 1, due: 0 })
  assert.ok(Date.parse(disputesDue.next ?? '') > Date.now())
  const { total, currencies, failing } = await readPayments()
  assert.deepEqual(
    { volume: total?.today.volume, days: total?.days.length, currencies: currencies.length, failing },
    { volume: { amount: '10.00', currency: 'USD' }, days: 14, currencies: 1, failing: [] },
  )
  assert.ok(channels.some(({ name, calls, isPaused }) => name === 'card' && calls >= 0 && !isPaused))
  assert.equal(verify, null)
  assert.equal((await admin.call('GET /queues', {})).suspenseToDecide, 1)
})

test('the channels and merchants that fail more than usual come first, the worst at the top', async () => {
  const { db, demo } = office
  const now = new Date()
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const health = (channel: string, minute: Date, outcome: string, calls: number) => {
    return { channel, minute, outcome, calls, totalMs: calls }
  }
  await addHealth(db, [
    health('alipay', minutesAgo(3_000), 'answered', 500),
    health('alipay', minutesAgo(10), 'unknown', 30),
    health('card', minutesAgo(3_000), 'answered', 500),
    health('card', minutesAgo(10), 'answered', 30),
  ])
  const { timezone } = (await admin.call('GET /merchants/:merNo', { params: { merNo: demo.merNo } })).merchant
  const stepAt = (at: Date, state: StateNumber, orders: bigint): CountStep => {
    const local = localTime(at, timezone)
    const [localDay, hour] = [local.slice(0, 10), Number(local.slice(11, 13))]
    const cell = { localDay, hour, method: 'card', state, currency: 'USD', amount: 100n, reason: '' }
    return { merNo: demo.merNo, cell, orders, amount: 100n * orders }
  }
  const steps = [
    stepAt(minutesAgo(3_000), State.succeeded, 900n),
    stepAt(minutesAgo(3_000), State.failed, 100n),
    stepAt(now, State.succeeded, 20n),
    stepAt(now, State.failed, 80n),
  ]
  await db.transaction((tx) => writeCounts(tx, steps))
  const { failing } = await admin.call('GET /operations/payments', {})
  assert.deepEqual(
    failing.map((one) => (one.kind === 'merchant' ? one.merNo : one.name)),
    ['alipay', demo.merNo],
  )
  const [channel, merchant] = failing
  assert.deepEqual(
    { now: channel?.now, usual: channel?.usual },
    { now: { paid: 0, failed: 30 }, usual: { paid: 500, failed: 0 } },
  )
  assert.deepEqual(merchant?.usual, { paid: 900, failed: 100 })
})

test('the doctor checks the installation in the background, for those who run the platform', async () => {
  const { runId } = await admin.call('POST /doctor', {})
  const read = async () => (await admin.call('GET /doctor', {})).runs[0]
  await eventually(async () => (await read())?.state !== 'running')
  const run = await read()
  assert.deepEqual({ runId: run?.runId, state: run?.state }, { runId, state: 'done' })
  const findings = JSON.stringify(run?.result?.findings)
  for (const check of ['node', 'settings', 'database', 'migrations', 'master key', 'gateway', 'page scripts'])
    assert.ok(findings.includes(`"check":"${check}"`), check)
  assert.doesNotMatch(findings, /"status":"fail"/)
  const finance = await office.operator('finance')
  assert.equal((await finance.attempt('POST /doctor', {})).problem?.code, 'not-allowed')
})
