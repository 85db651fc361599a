import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { paidOrder } from '../../../../test/builders/paid-orders.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'
import { pay } from '../../../../test/harness/client.ts'
import { eventually } from '../../../../test/harness/eventually.ts'

let office: BackOffice
let finance: Person
before(async () => {
  office = await openBackOffice()
  finance = await office.operator('finance')
})
after(() => office.close())

test('balances by account, and a trial balance in which debits equal credits', async () => {
  const { merNo } = office.demo
  await pay(office.demo, { sourceAmount: '20.00' })
  const { balances } = await finance.call('GET /books/balances', { query: { merNo } })
  const unsettled = balances.find(
    ({ account, currency }) => account === 'merchant:unsettled' && currency === 'USD',
  )
  assert.equal(unsettled?.balance, '20.00')
  const { currencies } = await finance.call('GET /books/trial-balance', {})
  assert.ok(currencies.length > 5)
  for (const { currency, isBalanced, debits, credits } of currencies) {
    assert.ok(isBalanced, currency)
    assert.equal(debits, credits)
  }
})

test('entries are read newest first, page by page, and by order', async () => {
  const { merNo } = office.demo
  const tradeNos: string[] = []
  for (let count = 0; count < 52; count++) tradeNos.push(String((await pay(office.demo)).data.tradeNo))
  const first = await finance.call('GET /books/entries', { query: { merNo } })
  assert.equal(first.rows.length, 50)
  assert.equal(first.rows[0]?.subject, tradeNos.at(-1))
  assert.ok(first.next)
  const second = await finance.call('GET /books/entries', { query: { merNo, after: first.next } })
  const subjects = [...first.rows, ...second.rows].map(({ subject }) => subject)
  assert.deepEqual(subjects, subjects.toSorted().toReversed())
  assert.ok(tradeNos.every((tradeNo) => subjects.includes(tradeNo)))
  const subject = tradeNos[7] ?? ''
  const one = await finance.call('GET /books/entries', { query: { merNo, subject } })
  assert.deepEqual(
    one.rows.map(({ subject: found, step, debit, credit, amount }) => [found, step, debit, credit, amount]),
    [[subject, 'payment', 'rail:card', 'merchant:unsettled', '12.34']],
  )
})

test('entries of all merchants are listed with their merchant', async () => {
  const { merNo } = office.demo
  await pay(office.demo)
  const made = { name: 'Other Shop', sites: ['other.example'], reason: 'Contract signed' }
  const admin = await office.operator()
  const other = await admin.call('POST /merchants', { body: made })
  const { tradeNo } = await paidOrder(office.db, { merNo: other.merNo })
  const { rows } = await finance.call('GET /books/entries', { query: {} })
  assert.deepEqual([rows[0]?.merNo, rows[0]?.subject], [other.merNo, tradeNo])
  assert.equal(rows[1]?.merNo, merNo)
  const found = await finance.call('GET /books/entries', { query: { subject: tradeNo } })
  assert.equal(found.rows[0]?.merNo, other.merNo)
})

test('the books are checked in the background, one check at a time', async () => {
  const { runId } = await finance.call('POST /books/verify', {})
  const read = async () => (await finance.call('GET /books/verify', {})).runs
  await eventually(async () => (await read())[0]?.state !== 'running')
  const runs = await read()
  assert.equal(runs[0]?.runId, runId)
  assert.equal(runs[0]?.state, 'done')
  assert.equal(runs[0]?.result?.isSound, true)
  assert.equal(runs[0]?.startedBy, finance.email)
})

test('of two checks that start together one runs', async () => {
  const both = await Promise.all([1, 2].map(() => finance.attempt('POST /books/verify', {})))
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409])
})

test('rates are set with their opposite, and keep their history', async () => {
  const set = { from: 'USD', to: 'EUR', rate: '0.91', reason: 'Month end' }
  const { derived } = await finance.call('POST /rates', { body: set })
  assert.deepEqual(derived, [{ from: 'EUR', to: 'USD', rate: '1.098901098901' }])
  const { rates } = await finance.call('GET /rates', { query: { currency: 'EUR' } })
  const found = rates.find(({ from, to }) => from === 'USD' && to === 'EUR')
  assert.deepEqual(
    { rate: found?.rate, isDerived: found?.isDerived },
    { rate: '0.910000000000', isDerived: false },
  )
  const { history } = await finance.call('GET /rates/:from/:to', { params: { from: 'USD', to: 'EUR' } })
  assert.equal(history.length, 2)
  const back = { from: 'EUR', to: 'USD', rate: '1.5', reason: 'Agreed with the bank' }
  const gain = await finance.attempt('POST /rates', { body: back })
  assert.match(gain.problem?.fields?.confirm ?? '', /^1 EUR is 1\.5 USD, and 1 USD is 0\.91 EUR.*is 1\.365\./)
  await finance.call('POST /rates', { body: { ...back, confirm: true } })
  const bad = await finance.attempt('POST /rates', { body: { ...set, rate: 'much' } })
  assert.match(bad.problem?.fields?.rate ?? '', /^Much is not a rate/)
})

test('a rate that begins later is listed with its time, and set again for that time it is replaced', async () => {
  const validFrom = '2100-02-01T00:00:30.000Z'
  const set = { from: 'USD', to: 'ISK', validFrom, reason: 'Next century' }
  const listed = async () => {
    const { rates, coming } = await finance.call('GET /rates', { query: { currency: 'ISK' } })
    const isIt = ({ from, rate }: { from: string; rate: string }) => from === 'USD' && /^13\d/.test(rate)
    return { current: rates.filter(isIt).length, coming: coming.filter(({ from }) => from === 'USD') }
  }
  for (const rate of ['130', '131']) {
    await finance.call('POST /rates', { body: { ...set, rate } })
    const { current, coming } = await listed()
    assert.deepEqual(
      coming.map((one) => [Number(one.rate), one.validFrom, one.isDerived]),
      [[Number(rate), validFrom, false]],
    )
    assert.equal(current, 0)
  }
  const { coming } = await finance.call('GET /rates', { query: { currency: 'NZD' } })
  assert.deepEqual(coming, [])
})

test('platform limits are set and removed', async () => {
  const admin = await office.operator()
  const params = { method: 'card' }
  const body = { daily: '5000.00', reason: 'Acquirer limit' }
  const { limits } = await admin.call('PUT /platform/limits/:method', { params, body })
  assert.deepEqual(limits, [{ method: 'card', daily: '5000.00', monthly: null }])
  const stale = { monthly: '9.00', seen: {}, reason: 'Late' }
  const late = await admin.attempt('PUT /platform/limits/:method', { params, body: stale })
  assert.equal(late.problem?.code, 'conflict')
  await admin.call('PUT /platform/limits/:method', { params, body: { daily: 'none', reason: 'Lifted' } })
  assert.deepEqual((await admin.call('GET /platform/limits', {})).limits, [])
})

test('a settlement run says what it settled', async () => {
  const later = new Date(Date.now() + 3 * 86_400_000).toISOString()
  const { runId } = await finance.call('POST /settlement/runs', {
    body: { asOf: later, reason: 'Early close' },
  })
  const read = async () => (await finance.call('GET /settlement/runs', {})).runs[0]
  await eventually(async () => (await read())?.state !== 'running')
  const run = await read()
  assert.equal(run?.runId, runId)
  assert.equal(run.result?.failed, 0)
  assert.ok(Array.isArray(run.result?.sums) && run.result.sums.length > 0)
  const [line] = await office.db.query({
    text: `select actor, subject, reason from audit_log where action = 'settle'`,
  })
  assert.deepEqual(line, { actor: finance.email, subject: runId, reason: 'Early close' })
})

test('reserves are listed by merchant, and by the day of their release', async () => {
  const { merNo } = office.demo
  const at = new Date('2026-01-10T12:00:00Z')
  await paidOrder(office.db, { merNo, at, amount: 10_000n, terms: { marginBps: 1_000, marginDays: 90 } })
  const { rows } = await finance.call('GET /reserves', {})
  const held = rows.find((row) => row.merNo === merNo && row.money.currency === 'USD')
  assert.equal(held?.money.amount, '10.00')
  const { days } = await finance.call('GET /reserves/:merNo', { params: { merNo } })
  assert.deepEqual(days, [{ day: '2026-04-10', orders: 1, money: { amount: '10.00', currency: 'USD' } }])
})
