// The first page of operators, and the checks of the installation.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { pay } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { bookSuspense } from '../../../money/suspense/book-suspense.ts'

let office: BackOffice
let admin: Person
before(async () => {
  office = await openBackOffice()
  admin = await office.operator()
})
after(() => office.close())

test('what waits is counted with its age, and today stands beside earlier days', async () => {
  const { db, demo } = office
  const at = new Date(Date.now() - 3_600_000)
  const money = { amount: 500n, currency: 'USD' }
  const item = { merNo: 0, channel: 'card', reference: 'stray', origin: 'channel', why: 'unmatched' } as const
  await db.transaction((tx) => bookSuspense(tx, [{ ...item, money, at }]))
  const { data } = await pay(demo, { sourceAmount: '10.00' })
  const body = { tradeNo: String(data.tradeNo), reasonCode: '4853', reason: 'By mail' }
  await admin.call('POST /disputes', { body })
  const read = () => admin.call('GET /operations', {})
  const isCounted = async () => (await read()).today.some(({ today }) => today.paid > 0)
  assert.ok(await eventually(isCounted))
  const { queues, disputesDue, today, channels, verify } = await read()
  assert.deepEqual(queues.suspenseToDecide, { count: 1, since: at.toISOString() })
  assert.deepEqual({ open: queues.disputesOpen.count, due: disputesDue.count }, { open: 1, due: 0 })
  assert.ok(Date.parse(disputesDue.next ?? '') > Date.now())
  const dollars = today.find(({ currency }) => currency === 'USD')
  assert.deepEqual(
    { amount: dollars?.today.volume.amount, orders: dollars?.yesterday.orders },
    { amount: '10.00', orders: 0 },
  )
  assert.ok(channels.some(({ name, calls, isPaused }) => name === 'card' && calls >= 0 && !isPaused))
  assert.equal(verify, null)
  assert.equal((await admin.call('GET /queues', {})).suspenseToDecide, 1)
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
