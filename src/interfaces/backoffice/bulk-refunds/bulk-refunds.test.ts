import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice, type Person } from '../../../test/back-office.ts'
import { pay } from '../../../test/client.ts'
import { eventually } from '../../../test/eventually.ts'
import { assertMoneySound } from '../../../test/paid-orders.ts'

let office: BackOffice
let finance: Person
before(async () => {
  office = await openBackOffice()
  finance = await office.person(office.demo.merNo, 'finance')
})
after(() => office.close())

async function paid(changes: Record<string, unknown> = {}): Promise<{ tradeNo: string; merOrderNo: string }> {
  const { data } = await pay(office.demo, { sourceAmount: '10.00', ...changes })
  return { tradeNo: String(data.tradeNo), merOrderNo: String(data.merOrderNo) }
}

async function refundsOf(tradeNo: string): Promise<string[]> {
  const { refunds } = await finance.call('GET /orders/:tradeNo', { params: { tradeNo } })
  return refunds.map(({ money }) => money.amount)
}

test('a dry run says what would happen to each order, and refunds nothing', async () => {
  const [whole, part, declined] = [await paid(), await paid(), await paid({ cardNo: '4000000000000002' })]
  const rows = [
    { number: whole.tradeNo },
    { number: part.merOrderNo, amount: '2.5' },
    { number: declined.tradeNo },
    { number: 'nothing' },
    { number: whole.merOrderNo },
    { number: part.tradeNo, amount: 'ten' },
  ]
  const bulk = await finance.call('POST /bulk-refunds', { body: { reason: 'Recall of the scarf', rows } })
  assert.deepEqual(bulk.counts, { ready: 2, refused: 4, accepted: 0, failed: 0 })
  assert.deepEqual(bulk.totals, [{ amount: '12.50', currency: 'USD' }])
  const { bulkId } = bulk
  const detail = await finance.call('GET /bulk-refunds/:bulkId', { params: { bulkId } })
  assert.deepEqual(
    detail.rows.map(({ state, money }) => [state, money?.amount]),
    [
      ['ready', '10.00'],
      ['ready', '2.50'],
      ['refused', '0.00'],
      ['refused', undefined],
      ['refused', '10.00'],
      ['refused', '0.00'],
    ],
  )
  assert.deepEqual(await refundsOf(whole.tradeNo), [])
})

test('a started bulk refunds each order once, also if its worker runs again, and the audit log says so', async () => {
  const orders = [await paid(), await paid(), await paid()]
  const rows = orders.map(({ tradeNo }) => ({ number: tradeNo, amount: '4.00' }))
  const { bulkId, version } = await finance.call('POST /bulk-refunds', { body: { reason: 'Late', rows } })
  const start = () =>
    finance.attempt('POST /bulk-refunds/:bulkId/start', { params: { bulkId }, body: { version } })
  const answers = await Promise.all([start(), start()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  const read = () => finance.call('GET /bulk-refunds/:bulkId', { params: { bulkId } })
  const isDone = async () => (await read()).bulk.state === 'done'
  assert.ok(await eventually(isDone))
  assert.equal((await read()).bulk.counts.accepted, 3)
  // As if the worker had died after the refunds were made and before it noted them.
  await office.db.query({
    text: `update bulk_refund_rows set state = 'ready', refund_no = null where bulk_id = $1`,
    values: [bulkId],
  })
  await office.db.query({
    text: `update bulk_refunds set state = 'running', leased_until = now() where bulk_id = $1`,
    values: [bulkId],
  })
  assert.ok(await eventually(isDone))
  assert.equal((await read()).bulk.counts.accepted, 3)
  for (const { tradeNo } of orders) assert.deepEqual(await refundsOf(tradeNo), ['4.00'])
  const lines = await office.db.query<{ action: string; actor: string }>({
    text: 'select action, actor from audit_log where mer_no = $1 and subject = $2 order by entry_id',
    values: [office.demo.merNo, bulkId],
  })
  assert.deepEqual(
    lines.map(({ action }) => action),
    ['bulk-refund.check', 'bulk-refund.start', 'bulk-refund.done', 'bulk-refund.done'],
  )
  assert.ok(lines.every(({ actor }) => actor === finance.email))
  await assertMoneySound(office.db)
})

test('a dry run may be cancelled, and a cancelled one cannot start', async () => {
  const rows = [{ number: (await paid()).tradeNo }]
  const { bulkId, version } = await finance.call('POST /bulk-refunds', { body: { reason: 'No', rows } })
  await finance.call('DELETE /bulk-refunds/:bulkId', { params: { bulkId } })
  const { problem } = await finance.attempt('POST /bulk-refunds/:bulkId/start', {
    params: { bulkId },
    body: { version: version + 1 },
  })
  assert.equal(problem?.code, 'conflict')
  const viewer = await office.person(office.demo.merNo + 1, 'owner')
  const attempt = await viewer.attempt('GET /bulk-refunds/:bulkId', { params: { bulkId } })
  assert.equal(attempt.problem?.code, 'not-found')
})
