import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BackOffice, openBackOffice } from '../../../../test/harness/back-office.ts'
import { pay } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'

let office: BackOffice
before(async () => {
  office = await openBackOffice()
})
after(() => office.close())

test('the overview counts what was paid and declined today, by day, currency and method, with the reasons', async () => {
  const { demo } = office
  for (const sourceAmount of ['10.00', '20.00']) await pay(demo, { sourceAmount })
  await pay(demo, { sourceAmount: '5.00', currencyCode: 'EUR' })
  await pay(demo, { cardNo: '4000000000009995' })
  const viewer = await office.person(demo.merNo, 'viewer')
  const read = () => viewer.call('GET /overview', {})
  const isCounted = async () => {
    const { total } = await read()
    return total?.today.failed === 1 && total.today.paid === 3
  }
  assert.ok(await eventually(isCounted))
  const { total, currencies, methods, declines, balances, attention } = await read()
  assert.ok(total)
  const euros = methods.find(({ currency }) => currency === 'EUR')
  assert.deepEqual(euros?.volume, { amount: '5.00', currency: 'EUR' })
  assert.deepEqual(
    { currency: total.currency, converted: total.converted, notIncluded: total.notIncluded },
    { currency: 'USD', converted: ['EUR'], notIncluded: [] },
  )
  assert.match(total.today.volume.amount, /^3[3-9]\.\d\d$/, 'thirty dollars and the value of five euros')
  assert.deepEqual(
    { days: total.days.length, today: total.days.at(-1)?.volume },
    { days: 30, today: total.today.volume },
  )
  const dollars = currencies.find(({ currency }) => currency === 'USD')
  assert.deepEqual(
    { volume: dollars?.today.volume.amount, change: dollars?.change },
    { volume: '30.00', change: null },
  )
  const [best] = methods
  assert.deepEqual(
    { currency: best?.currency, orders: best?.orders, paid: best?.paid, failed: best?.failed },
    { currency: 'USD', orders: 3, paid: 2, failed: 1 },
  )
  assert.equal(declines[0]?.orders, 1)
  assert.match(declines[0]?.reason ?? '', /insufficient/i)
  assert.ok(balances.some(({ currency }) => currency === 'USD'))
  assert.equal(attention.disputes, 0)
})

test('what needs attention names the next disputes and the key that ends, to people who may see them', async () => {
  const { demo, db } = office
  const { data } = await pay(demo, { sourceAmount: '60.00' })
  const { data: answered } = await pay(demo, { sourceAmount: '61.00' })
  const operator = await office.operator()
  for (const { tradeNo } of [data, answered]) {
    const body = { tradeNo: String(tradeNo), reasonCode: '4853', reason: 'By mail' }
    await operator.call('POST /disputes', { body })
  }
  const owner = await office.person(demo.merNo, 'owner')
  const params = { tradeNo: String(answered.tradeNo) }
  await owner.call('POST /disputes/:tradeNo/evidence', { params, body: { note: 'It was delivered' } })
  const { attention } = await owner.call('GET /overview', {})
  assert.deepEqual(
    attention.disputesDue.map(({ tradeNo, money }) => [tradeNo, money.amount]),
    [[data.tradeNo, '60.00']],
  )
  assert.deepEqual(attention.endingKeys, [])
  await db.query({
    text: `update merchant_keys set retires_at = now() + interval '1 hour' where mer_no = $1 and kind = 'md5'`,
    values: [demo.merNo],
  })
  const hasKey = async () => (await owner.call('GET /overview', {})).attention.endingKeys.length === 1
  assert.ok(await eventually(hasKey))
  const designer = await office.person(demo.merNo, 'viewer')
  const seen = await designer.call('GET /overview', {})
  assert.deepEqual(seen.attention.endingKeys, [])
})

test('what needs attention counts the accounts that a second person has to confirm, until one decides', async () => {
  const finance = await office.person(office.demo.merNo, 'finance')
  const waiting = async () => (await finance.call('GET /overview', {})).attention.approvals
  assert.equal(await waiting(), 0)
  const fields = { benFirstName: 'Ana', benLastName: 'Souza', cardNo: 'ana@example.com' }
  const body = { label: 'Ana', kind: 'pix', currency: 'BRL', fields } as const
  await finance.call('POST /beneficiaries', { body })
  assert.equal(await waiting(), 1)
  const second = await office.person(office.demo.merNo, 'finance')
  const { rows } = await second.call('GET /payouts/approvals', { query: {} })
  const params = { approvalId: rows[0]?.approvalId ?? '' }
  await second.call('POST /payouts/approvals/:approvalId/reject', {
    params,
    body: { reason: 'Nobody I know' },
  })
  assert.equal(await waiting(), 0)
})

test('the overviews say which servers of merchants fail, to people who may see them', async () => {
  const { demo } = office
  await pay(demo, { notifyUrl: 'http://127.0.0.1:9/closed' })
  const owner = await office.person(demo.merNo, 'owner')
  const origin = 'http://127.0.0.1:9'
  const own = async () => {
    const { attention } = await owner.call('GET /overview', {})
    return attention.endpoints.find((one) => one.origin === origin)
  }
  assert.ok(await eventually(async () => (await own()) !== undefined))
  const endpoint = await own()
  assert.ok(endpoint)
  const { merNo, acknowledged, status } = endpoint
  assert.deepEqual([merNo, acknowledged, status], [demo.merNo, 0, null])
  assert.match(endpoint.error ?? '', /^the connection was refused/)
  const operator = await office.operator()
  const { endpoints } = await operator.call('GET /operations', {})
  assert.ok(endpoints.some((one) => one.merNo === demo.merNo && one.origin === origin))
  const finance = await office.person(demo.merNo, 'finance')
  assert.deepEqual((await finance.call('GET /overview', {})).attention.endpoints, [])
})

test("staff cannot ask for another merchant's overview", async () => {
  const owner = await office.person(office.demo.merNo, 'owner')
  const { problem } = await owner.attempt('GET /overview', { query: { merNo: 999 } })
  assert.equal(problem?.code, 'not-found')
})
