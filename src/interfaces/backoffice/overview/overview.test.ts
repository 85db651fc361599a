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

test('the overview counts what was paid and declined today, by method, with the reasons', async () => {
  const { demo } = office
  for (const sourceAmount of ['10.00', '20.00']) await pay(demo, { sourceAmount })
  await pay(demo, { cardNo: '4000000000009995' })
  const viewer = await office.person(demo.merNo, 'viewer')
  const read = () => viewer.call('GET /overview', {})
  const isCounted = async () => (await read()).today.some(({ today }) => today.failed > 0 && today.paid === 2)
  assert.ok(await eventually(isCounted))
  const overview = await read()
  const dollars = overview.today.find(({ currency }) => currency === 'USD')
  assert.deepEqual(dollars?.today.volume, { amount: '30.00', currency: 'USD' })
  assert.equal(dollars?.yesterday.orders, 0)
  const [today] = overview.days.filter(({ method, currency }) => method === 'card' && currency === 'USD')
  assert.deepEqual(
    { orders: today?.orders, paid: today?.paid, failed: today?.failed },
    { orders: 3, paid: 2, failed: 1 },
  )
  assert.equal(overview.declines[0]?.orders, 1)
  assert.match(overview.declines[0]?.reason ?? '', /insufficient/i)
  assert.ok(overview.balances.some(({ currency }) => currency === 'USD'))
  assert.equal(overview.attention.disputes, 0)
})

test('what needs attention counts the accounts that a second person has to confirm', async () => {
  const finance = await office.person(office.demo.merNo, 'finance')
  const waiting = async () => (await finance.call('GET /overview', {})).attention.approvals
  assert.equal(await waiting(), 0)
  const fields = { benFirstName: 'Ana', benLastName: 'Souza', cardNo: 'ana@example.com' }
  const body = { label: 'Ana', kind: 'pix', currency: 'BRL', fields } as const
  await finance.call('POST /beneficiaries', { body })
  assert.equal(await waiting(), 1)
})

test('the overviews say how the server of a merchant takes notifications, to people who may see them', async () => {
  const { demo } = office
  await pay(demo, { notifyUrl: 'http://127.0.0.1:9/closed' })
  const owner = await office.person(demo.merNo, 'owner')
  const origin = 'http://127.0.0.1:9'
  const own = async () => {
    const { endpoints } = await owner.call('GET /overview', {})
    return endpoints.find((one) => one.origin === origin)
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
  assert.deepEqual((await finance.call('GET /overview', {})).endpoints, [])
})

test("staff cannot ask for another merchant's overview", async () => {
  const owner = await office.person(office.demo.merNo, 'owner')
  const { problem } = await owner.attempt('GET /overview', { query: { merNo: 999 } })
  assert.equal(problem?.code, 'not-found')
})
