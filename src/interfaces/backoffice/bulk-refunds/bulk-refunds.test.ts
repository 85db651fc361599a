import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertMoneySound } from '../../../../test/builders/paid-orders.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { pay } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { operatorAt } from '../../../../test/harness/operator.ts'

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

test('orders in a currency with three decimals are refunded; an amount with a third decimal is refused', async () => {
  const [whole, part] = [await paid({ currencyCode: 'KWD' }), await paid({ currencyCode: 'KWD' })]
  const refused = { number: part.tradeNo, amount: '1.255' }
  const alone = await finance.call('POST /bulk-refunds', { body: { reason: 'Recall', rows: [refused] } })
  assert.deepEqual(alone.counts, { ready: 0, refused: 1, accepted: 0, failed: 0 })
  const rows = [{ number: whole.tradeNo }, { ...refused, amount: '1.25' }]
  const { bulkId, version } = await finance.call('POST /bulk-refunds', { body: { reason: 'Recall', rows } })
  await finance.call('POST /bulk-refunds/:bulkId/start', { params: { bulkId }, body: { version } })
  const read = () => finance.call('GET /bulk-refunds/:bulkId', { params: { bulkId } })
  assert.ok(await eventually(async () => (await read()).bulk.state === 'done'))
  assert.deepEqual(await refundsOf(whole.tradeNo), ['10.000'])
  assert.deepEqual(await refundsOf(part.tradeNo), ['1.250'])
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
  // The database now looks as if a worker had stopped after making the refunds and before recording them.
  await office.db.query({
    text: `update bulk_refund_rows set state = 'ready', refund_no = null where bulk_id = $1`,
    values: [bulkId],
  })
  await office.db.query({
    text: `update bulk_refunds set state = 'running', version = 2, leased_until = now() where bulk_id = $1`,
    values: [bulkId],
  })
  assert.ok(await eventually(isDone))
  assert.equal((await read()).bulk.counts.accepted, 3)
  for (const { tradeNo } of orders) assert.deepEqual(await refundsOf(tradeNo), ['4.00'])
  const lines = await office.db.query<{ action: string; actor: string; after: unknown }>({
    text: 'select action, actor, after from audit_log where mer_no = $1 and subject = $2 order by entry_id',
    values: [office.demo.merNo, bulkId],
  })
  assert.deepEqual(
    lines.map(({ action }) => action),
    ['bulk-refund.check', 'bulk-refund.start', 'bulk-refund.done', 'bulk-refund.done'],
  )
  assert.deepEqual(lines[0]?.after, { rows: 3, total: ['12.00 USD'] })
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

test('only the person who checked the orders starts the bulk, so that a second person approves its refunds', async () => {
  const { merNo } = office.demo
  await operatorAt(office).run('merchant', 'set', String(merNo), '--approve-refunds', 'on')
  const { tradeNo } = await paid()
  const rows = [{ number: tradeNo, amount: '1.00' }]
  const { bulkId, version, isOwn } = await finance.call('POST /bulk-refunds', {
    body: { reason: 'Late', rows },
  })
  const input = { params: { bulkId }, body: { version } }
  for (const other of [await office.operator('finance'), await office.person(merNo, 'owner')]) {
    assert.equal(
      (await other.attempt('POST /bulk-refunds/:bulkId/start', input)).problem?.code,
      'not-allowed',
    )
    const { bulk } = await other.call('GET /bulk-refunds/:bulkId', { params: { bulkId } })
    assert.deepEqual({ state: bulk.state, isOwn: bulk.isOwn }, { state: 'checked', isOwn: false })
  }
  assert.equal(isOwn, true)
  await finance.call('POST /bulk-refunds/:bulkId/start', input)
  await operatorAt(office).run('merchant', 'set', String(merNo), '--approve-refunds', 'off')
})

test('a trade number means its order, although a later order has it as its own number', async () => {
  const meant = await paid()
  const other = await paid({ merOrderNo: meant.tradeNo })
  const body = { reason: 'Chosen', rows: [{ number: meant.tradeNo }] }
  const { bulkId, version } = await finance.call('POST /bulk-refunds', { body })
  await finance.call('POST /bulk-refunds/:bulkId/start', { params: { bulkId }, body: { version } })
  const read = () => finance.call('GET /bulk-refunds/:bulkId', { params: { bulkId } })
  assert.ok(await eventually(async () => (await read()).bulk.state === 'done'))
  assert.deepEqual([await refundsOf(meant.tradeNo), await refundsOf(other.tradeNo)], [['10.00'], []])
})

test('a bulk of a merchant that was closed before its start refunds nothing, and says why', async () => {
  const { tradeNo } = await paid()
  const body = { reason: 'Recall', rows: [{ number: tradeNo }] }
  const { bulkId, version } = await finance.call('POST /bulk-refunds', { body })
  await operatorAt(office).run('merchant', 'close', String(office.demo.merNo))
  await finance.call('POST /bulk-refunds/:bulkId/start', { params: { bulkId }, body: { version } })
  const read = () => finance.call('GET /bulk-refunds/:bulkId', { params: { bulkId } })
  assert.ok(await eventually(async () => (await read()).bulk.state === 'done'))
  const [row] = (await read()).rows
  assert.deepEqual(
    { state: row?.state, message: row?.message },
    { state: 'failed', message: 'Merchant is not active' },
  )
})
