// Orders are found, shown and refunded in the back office, and are shown as they were at an earlier time.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aPayment } from '../../../../test/builders/builders.ts'
import { paidOrder } from '../../../../test/builders/paid-orders.ts'
import { dispute, loseDispute } from '../../../../test/builders/refunds.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { call, newNumber, pay, query, type Reply } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'

let office: BackOffice
let owner: Person
before(async () => {
  office = await openBackOffice()
  owner = await office.person(office.demo.merNo, 'owner')
})
after(() => office.close())

async function paid(changes: Record<string, unknown> = {}): Promise<{ tradeNo: string; merOrderNo: string }> {
  const { code, data } = await pay(office.demo, changes)
  assert.equal(code, '00000')
  return { tradeNo: String(data.tradeNo), merOrderNo: String(data.merOrderNo) }
}

async function foundBy(query: Record<string, string>, person = owner): Promise<string[]> {
  const { rows } = await person.call('GET /orders', { query })
  return rows.map(({ tradeNo }) => tradeNo)
}

test('an order is found by everything that people know of it, moments after it was made', async () => {
  const billingEmail = `ada-${process.pid}@example.com`
  const { tradeNo, merOrderNo } = await paid({
    billingEmail,
    billingLastName: 'Lovelace',
    sourceAmount: '77.01',
  })
  const searches: Record<string, string>[] = [
    { number: tradeNo },
    { number: merOrderNo },
    { email: billingEmail.toUpperCase() },
    { name: 'lovelace', state: '5' },
    { amount: '77.01', card: '4242' },
    { amount: '77.010', currency: 'USD', method: 'card,pix' },
  ]
  for (const search of searches)
    assert.ok(await eventually(async () => (await foundBy(search)).includes(tradeNo)), JSON.stringify(search))
  assert.ok((await foundBy({})).includes(tradeNo), 'the list by time is current')
  const { groups } = await owner.call('GET /search', { query: { q: billingEmail } })
  assert.deepEqual(
    groups.map(({ kind, rows }) => [kind, rows.map(({ path }) => path)]),
    [['orders', [`/orders/${tradeNo}`]]],
  )
})

test('operators list and count the orders of all merchants, or of one that they name', async () => {
  const { merNo } = office.demo
  const own = await paid()
  const made = { name: 'Other Shop', sites: ['other.example'], reason: 'Contract signed' }
  const admin = await office.operator()
  const other = await admin.call('POST /merchants', { body: made })
  const foreign = await paidOrder(office.db, { merNo: other.merNo })
  const listed = async (query: { merNo?: number; from?: string }) =>
    (await admin.call('GET /orders', { query })).rows.map((row) => [row.merNo, row.tradeNo])
  assert.deepEqual((await listed({})).slice(0, 2), [
    [other.merNo, foreign.tradeNo],
    [merNo, own.tradeNo],
  ])
  assert.deepEqual(await listed({ merNo: other.merNo }), [[other.merNo, foreign.tradeNo]])
  assert.deepEqual((await listed({ from: 'today' }))[0], [other.merNo, foreign.tradeNo])
  const counted = async (person: Person, query: { merNo?: number }) =>
    (await person.call('GET /orders/count', { query })).count
  assert.equal(await counted(admin, { merNo: other.merNo }), 1)
  assert.equal(await counted(admin, {}), (await counted(owner, {})) + 1)
  const { problem } = await owner.attempt('GET /orders/count', { query: { merNo: other.merNo } })
  assert.equal(problem?.code, 'not-found')
})

test('the search finds colleagues, for people who may see them', async () => {
  const found = async (person: Person, q: string) =>
    (await person.call('GET /search', { query: { q } })).groups.find(({ kind }) => kind === 'people')?.rows
  const { email } = owner
  assert.deepEqual(
    (await found(owner, email.toUpperCase()))?.map(({ title, path }) => [title, path.replace(/\w+$/, '')]),
    [[email, '/settings/team/']],
  )
  const viewer = await office.person(office.demo.merNo, 'viewer')
  assert.equal(await found(viewer, email), undefined)
  const admin = await office.operator()
  assert.equal(await found(admin, email), undefined, "a merchant's people are not colleagues")
  assert.equal((await found(admin, admin.email))?.length, 1)
})

test('operators search the merchant they look at, by a number of ours all, and merchants by name', async () => {
  const { merNo } = office.demo
  const { tradeNo, merOrderNo } = await paid()
  const other = await paidOrder(office.db, aPayment())
  const admin = await office.operator()
  const found = async (query: { q: string; merNo?: number }, person = admin) =>
    (await person.call('GET /search', { query })).groups.flatMap(({ rows }) => rows.map(({ path }) => path))
  const ownPath = `/orders/${tradeNo}?merNo=${merNo}`
  assert.deepEqual(await found({ q: merOrderNo, merNo }), [ownPath])
  assert.deepEqual(await found({ q: merOrderNo }), [])
  assert.deepEqual(await found({ q: tradeNo }), [ownPath])
  const otherPath = `/orders/${other.tradeNo}?merNo=${other.merNo}`
  assert.deepEqual(await found({ q: other.tradeNo, merNo }), [otherPath], "from another merchant's page")
  assert.deepEqual(await found({ q: 'DEMO sh' }), [`/merchants/${merNo}`])
  assert.deepEqual(await found({ q: String(merNo) }), [`/merchants/${merNo}`])
  const seen = await found({ q: 'demo sh' }, owner)
  assert.ok(!seen.some((path) => path.startsWith('/merchants/')), 'merchants are for operators')
})

test('an order shows the calls about it to people who may see the request log', async () => {
  const { tradeNo, merOrderNo } = await paid()
  await query(office.demo, merOrderNo)
  const params = { tradeNo }
  const callsOf = async (person: Person) =>
    (await person.call('GET /orders/:tradeNo', { params })).requests.map(({ endpoint, code }) => [
      endpoint,
      code,
    ])
  assert.ok(await eventually(async () => (await callsOf(owner)).length === 2))
  assert.deepEqual(await callsOf(owner), [
    ['/order/query', '00000'],
    ['/payment', '00000'],
  ])
  assert.deepEqual(await callsOf(await office.person(office.demo.merNo, 'finance')), [])
})

test('a wrong filter names its field', async () => {
  const { problem } = await owner.attempt('GET /orders', {
    query: { card: '42', amount: 'x', from: 'someday' },
  })
  assert.deepEqual(Object.keys(problem?.fields ?? {}).sort(), ['amount', 'card', 'from'])
})

test("another merchant's order does not exist, and operators see every merchant's", async () => {
  const { tradeNo } = await paidOrder(office.db, aPayment())
  for (const name of ['GET /orders/:tradeNo', 'GET /orders/:tradeNo/at'] as const) {
    const moment = new Date().toISOString()
    const { problem } = await owner.attempt(name, { params: { tradeNo }, query: { moment } })
    assert.equal(problem?.code, 'not-found')
  }
  assert.deepEqual(await foundBy({ number: tradeNo }), [])
  const operator = await office.operator()
  const { order } = await operator.call('GET /orders/:tradeNo', { params: { tradeNo } })
  assert.equal(order.tradeNo, tradeNo)
})

test('all orders of an e-mail address or of a card are found from one of them, with sums', async () => {
  const billingEmail = `grace-${process.pid}@example.com`
  const { tradeNo } = await paid({
    billingEmail,
    sourceAmount: '20.00',
    cardNo: '378282246310005',
    cardSecurityCode: '1234',
  })
  await paid({ billingEmail: billingEmail.toUpperCase(), sourceAmount: '5.50' })
  const params = { tradeNo }
  const ordersOf = (by: 'email' | 'card', person = owner) =>
    person.call('GET /orders/:tradeNo/customer/orders', { params, query: { by } })
  assert.ok(await eventually(async () => (await ordersOf('email')).rows.length === 2))
  const seen = await owner.call('GET /orders/:tradeNo/customer', { params, query: { by: 'email' } })
  assert.equal(seen.email?.toLowerCase(), billingEmail)
  assert.deepEqual(
    seen.sums.map(({ orders, failed, paid }) => [orders, failed, paid]),
    [[2, 0, { amount: '25.50', currency: 'USD' }]],
  )
  const byCard = await owner.call('GET /orders/:tradeNo/customer', { params, query: { by: 'card' } })
  assert.equal(byCard.card?.last4, '0005')
  assert.deepEqual(
    (await ordersOf('card')).rows.map((row) => row.tradeNo),
    [tradeNo],
  )
  const stranger = await office.person(office.demo.merNo + 1, 'owner')
  for (const name of ['GET /orders/:tradeNo/customer', 'GET /orders/:tradeNo/customer/orders'] as const)
    assert.equal(
      (await stranger.attempt(name, { params, query: { by: 'email' } })).problem?.code,
      'not-found',
    )
  assert.equal((await ordersOf('email', await office.operator())).rows.length, 2)
})

test('a partial refund and a wait for 3-D Secure are stages of the order, in the search too', async () => {
  const { tradeNo } = await paid({ sourceAmount: '30.00' })
  const body = { amount: '10', reason: 'Returned the scarf', merRefundNo: newNumber() }
  await owner.call('POST /orders/:tradeNo/refunds', { params: { tradeNo }, body })
  const stageOf = async (number: string) => {
    const { order } = await owner.call('GET /orders/:tradeNo', { params: { tradeNo: number } })
    return [order.state, order.stage]
  }
  assert.ok(await eventually(async () => (await stageOf(tradeNo))[1] === 'partly_refunded'))
  assert.deepEqual(await stageOf(tradeNo), [5, 'partly_refunded'])
  const { data } = await pay(office.demo, { cardNo: '4000000000003220' })
  assert.deepEqual(await stageOf(String(data.tradeNo)), [1, 'waiting_for_challenge'])
  const { groups } = await owner.call('GET /search', { query: { q: tradeNo } })
  const [found] = groups[0]?.rows ?? []
  assert.equal(found?.state, 'partly_refunded')
  const { order } = await owner.call('GET /orders/:tradeNo', { params: { tradeNo } })
  assert.equal(found?.at?.slice(0, 16), order.createdAt.slice(0, 16))
  const past = { params: { tradeNo }, query: { moment: order.createdAt } }
  assert.equal((await owner.call('GET /orders/:tradeNo/at', past)).order?.stage, 'processing')
})

test('the page of an order shows its money, states, attempts, entries and notifications', async () => {
  const { tradeNo } = await paid({ sourceAmount: '20.00' })
  const view = await owner.call('GET /orders/:tradeNo', { params: { tradeNo } })
  assert.deepEqual(view.order.money, { amount: '20.00', currency: 'USD' })
  assert.deepEqual(view.refundable, { amount: '20.00', currency: 'USD' })
  assert.deepEqual(
    view.states.map(({ from, to }) => [from, to]),
    [[1, 5]],
  )
  assert.equal(view.attempts[0]?.state, 'succeeded')
  assert.equal(view.attempts[0]?.channel, undefined)
  assert.ok(view.entries.some(({ step }) => step === 'payment'))
  assert.equal(view.notifications[0]?.event, 'payment')
  assert.ok(view.details.some(({ name, value }) => name === 'billingCity' && value === 'Lima'))
  assert.ok(!JSON.stringify(view).includes('4242424242424242'))
})

test('a refund from the page is made once however often it is sent, with a line in the audit log', async () => {
  const { tradeNo } = await paid({ sourceAmount: '30.00' })
  const body = { amount: '10', reason: 'Returned the scarf', merRefundNo: newNumber() }
  const first = await owner.call('POST /orders/:tradeNo/refunds', { params: { tradeNo }, body })
  const again = await owner.call('POST /orders/:tradeNo/refunds', { params: { tradeNo }, body })
  assert.equal(again.refundNo, first.refundNo)
  const { rows } = await owner.call('GET /refunds', { query: {} })
  assert.deepEqual(
    rows.filter(({ refundNo }) => refundNo === first.refundNo).map((row) => [row.tradeNo, row.remark]),
    [[tradeNo, body.reason]],
  )
  assert.deepEqual(first.money, { amount: '10.00', currency: 'USD' })
  const lines = await office.db.query<{ actor: string; action: string; reason: string }>({
    text: 'select actor, action, reason from audit_log where mer_no = $1 and subject = $2',
    values: [office.demo.merNo, tradeNo],
  })
  assert.deepEqual(lines, [{ actor: owner.email, action: 'refund.create', reason: body.reason }])
  const { problem } = await owner.attempt('POST /orders/:tradeNo/refunds', {
    params: { tradeNo },
    body: { ...body, amount: '25', merRefundNo: newNumber() },
  })
  assert.deepEqual(Object.keys(problem?.fields ?? {}), ['amount'])
  const { problem: wrong } = await owner.attempt('POST /orders/:tradeNo/refunds', {
    params: { tradeNo },
    body: { ...body, amount: 'ten', merRefundNo: newNumber() },
  })
  assert.deepEqual(Object.keys(wrong?.fields ?? {}), ['amount'])
})

test('the amount that the page suggests in a currency with three decimals is refunded', async () => {
  const { tradeNo } = await paid({ currencyCode: 'KWD', sourceAmount: '5.50' })
  const { refundable } = await owner.call('GET /orders/:tradeNo', { params: { tradeNo } })
  const body = { amount: refundable.amount, reason: 'Returned', merRefundNo: newNumber() }
  const { money } = await owner.call('POST /orders/:tradeNo/refunds', { params: { tradeNo }, body })
  assert.deepEqual(money, { amount: '5.500', currency: 'KWD' })
})

type Seen = {
  readonly moment: string
  readonly sales: Reply['data']
  readonly balances: Reply['data']
}

/**
 * Returns the current responses of the merchant interface with their time. The pauses keep other events away from that
 * time.
 */
async function look(merOrderNo: string): Promise<Seen> {
  await sleep(50)
  const moment = new Date().toISOString()
  const { data: sales } = await query(office.demo, merOrderNo)
  const { merNo } = office.demo
  const { data: balances } = await call(office.demo, '/balance/query', { merNo, version: 'V3.0.0' })
  await sleep(50)
  return { moment, sales, balances }
}

test('time travel shows exactly what the interface answered at each moment', async () => {
  const { tradeNo, merOrderNo } = await paid({ sourceAmount: '50.00' })
  const seen = [await look(merOrderNo)]
  const body = { amount: '20.00', reason: 'Damaged', merRefundNo: newNumber() }
  await owner.call('POST /orders/:tradeNo/refunds', { params: { tradeNo }, body })
  const stateIs = (state: number) => async () =>
    (await owner.call('GET /orders/:tradeNo', { params: { tradeNo } })).order.state === state
  assert.ok(await eventually(stateIs(5)))
  seen.push(await look(merOrderNo))
  await dispute(office.db, aPayment({ tradeNo }))
  seen.push(await look(merOrderNo))
  await loseDispute(office.db, aPayment({ tradeNo }))
  seen.push(await look(merOrderNo))
  for (const { moment, sales, balances } of seen) {
    const past = await owner.call('GET /orders/:tradeNo/at', { params: { tradeNo }, query: { moment } })
    assert.deepEqual(past.answer, { code: '00000', data: sales })
    assert.deepEqual(past.uncertain, [])
    const answered = balances.balances as { currency: string; balance: string; unCheckedBalance: string }[]
    for (const { currency, balance, unCheckedBalance } of answered) {
      const then = past.balances.find((one) => one.currency === currency)
      assert.deepEqual(
        { balance: then?.available.amount, unCheckedBalance: then?.unsettled.amount },
        { balance, unCheckedBalance },
      )
    }
  }
  const before = new Date(Date.now() - 86_400_000).toISOString()
  const past = await owner.call('GET /orders/:tradeNo/at', { params: { tradeNo }, query: { moment: before } })
  assert.deepEqual({ code: past.answer.code, order: past.order }, { code: '10026', order: undefined })
})
