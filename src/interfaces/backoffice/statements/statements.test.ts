import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { paidOrder } from '../../../../test/builders/paid-orders.ts'
import { type BackOffice, openBackOffice, type Person } from '../../../../test/harness/back-office.ts'

let office: BackOffice
let owner: Person
let merNo: number
before(async () => {
  office = await openBackOffice()
  ;({ merNo } = office.demo)
  owner = await office.person(merNo, 'owner')
  const terms = { feeBps: 100, feeFixed: 30n, marginBps: 500 }
  await paidOrder(office.db, { merNo, terms, amount: 10_000n })
  await paidOrder(office.db, { merNo, terms, amount: 20_000n })
})
after(() => office.close())

test('opening, steps and closing of a statement add up, as page and as CSV', async () => {
  const { today, currencies } = await owner.call('GET /statements', {})
  assert.ok(currencies.includes('USD'))
  const query = { from: today, to: today, currency: 'USD' }
  const { opening, closing, steps } = await owner.call('GET /statement', { query })
  const cents = (text: string) => BigInt(text.replace('.', ''))
  const moved = steps
    .filter(({ account }) => account === 'unsettled')
    .reduce((sum, { money }) => sum + cents(money.amount), 0n)
  assert.equal(cents(opening.unsettled.amount) + moved, cents(closing.unsettled.amount))
  assert.deepEqual(
    steps.filter(({ step }) => step === 'payment').map(({ entries, money }) => [entries, money.amount]),
    [[2, '300.00']],
  )
  const file = await owner.attempt('GET /statement.csv', { query })
  const text = String(file.reply)
  assert.match(file.headers.get('content-disposition') ?? '', /statement-\d+-USD-/)
  assert.match(text, new RegExp(`closing balance,,,,${closing.unsettled.amount}`))
})

test('an invoice lists the fees of a period by kind', async () => {
  const { today } = await owner.call('GET /statements', {})
  const query = { from: today, to: today }
  const { lines, totals } = await owner.call('GET /invoice', { query })
  const of = (step: string) => lines.find((line) => line.step === step)?.money
  assert.deepEqual(of('handling-fee'), { amount: '3.00', currency: 'USD' })
  assert.deepEqual(of('processing-fee'), { amount: '0.60', currency: 'USD' })
  assert.ok(totals.some(({ currency }) => currency === 'USD'))
  assert.match(String((await owner.attempt('GET /invoice.csv', { query })).reply), /handling-fee,2,3.00,USD/)
  const { rows } = await owner.call('GET /audit', { query: { action: 'export.download' } })
  assert.deepEqual(
    rows.map(({ subject }) => subject.replace(/-.*/, '')),
    ['fees', 'statement'],
    'both downloads are in the audit log',
  )
})

test('settlements to come are listed by day, reserves by month', async () => {
  const { settlements, reserves } = await owner.call('GET /settlements/coming', {})
  assert.deepEqual(
    settlements.map(({ orders, money }) => [orders, money.amount]),
    [[2, '281.40']],
  )
  assert.deepEqual(
    reserves.map(({ orders, money }) => [orders, money.amount]),
    [[2, '15.00']],
  )
})

test('a period that is none is refused at its field', async () => {
  const wrong = await owner.attempt('GET /invoice', { query: { from: '2026-02-30', to: '2026-03-01' } })
  assert.deepEqual(Object.keys(wrong.problem?.fields ?? {}), ['from'])
  const back = await owner.attempt('GET /invoice', { query: { from: '2026-03-02', to: '2026-03-01' } })
  assert.deepEqual(Object.keys(back.problem?.fields ?? {}), ['to'])
})
