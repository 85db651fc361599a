import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDecline, aPayment, aSuccess, noRates } from '../../../test/builders/builders.ts'
import { assertMoneySound, balancesOf, paidOrder } from '../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { openVault } from '../../platform/base/secret.ts'
import { createMerchant } from '../merchants/create-merchant.ts'
import { readOptions } from '../merchants/options.ts'
import { findByReference } from '../order-queries/search/find-by-reference.ts'
import { createIndexer } from '../order-queries/search/index-orders.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { attemptReference } from '../orders/order.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { acceptSuspense } from '../payments/deposits/accept-suspense.ts'
import { recordOutcomes } from '../payments/record-outcomes.ts'
import { listHeld } from '../suspense/book-suspense.ts'
import { returnSuspense } from '../suspense/release-suspense.ts'
import { reconcile } from './reconcile.ts'
import { readStatement } from './statement-line.ts'

const database = useDatabase({ after: ({ db }) => assertMoneySound(db) })

const clock = { now: () => new Date('2026-08-20T00:00:00Z') }

const header = 'reference,type,amount,currency,fee,date'
async function run(channel: string, ...lines: string[]) {
  async function* text() {
    yield [header, ...lines, ''].join('\n')
  }
  return reconcile({ db: database.db, clock }, channel, await readStatement(text()))
}

const referenceOf = ({ tradeNo }: NewPayment) => attemptReference(tradeNo, 1)
const line = (order: NewPayment, amount: string, day: string, type = 'payment') =>
  `${referenceOf(order)},${type},${amount},USD,0.10,${day}`

/** Each test has its own days, so that its payments are not missing in another test's statement. */
const noon = (day: string) => new Date(`${day}T12:00:00Z`)

async function undecided(merNo: number, day: string): Promise<NewPayment> {
  const order = aPayment({ merNo, createdAt: noon(day) })
  await acceptPayments(database.db, [order])
  return order
}

test('a statement that agrees has no difference, and its fees are added up', async () => {
  const merNo = 55_000_001
  const orders = [
    await paidOrder(database.db, { merNo, at: noon('2026-08-01') }),
    await paidOrder(database.db, { merNo, at: noon('2026-08-02') }),
  ]
  const report = await run('card', ...orders.map((order, at) => line(order, '10.00', `2026-08-0${at + 1}`)))
  const { statementId, ...rest } = report
  assert.match(statementId, /^I/)
  assert.deepEqual(rest, {
    channel: 'card',
    days: { first: '2026-08-01', last: '2026-08-02' },
    lines: 2,
    matched: 2,
    different: 0,
    booked: 0,
    withdrawn: [],
    differences: [],
    fees: new Map([['USD', 20n]]),
    otherChannels: new Map(),
  })
})

test('missing and differing movements of either side are reported; unmatched money is booked once', async () => {
  const merNo = 55_000_002
  const day = '2026-08-03'
  const at = noon(day)
  const [more, less, gone] = [
    await paidOrder(database.db, { merNo, at }),
    await paidOrder(database.db, { merNo, at }),
    await paidOrder(database.db, { merNo, at }),
  ]
  const [declined, open] = [await undecided(merNo, day), await undecided(merNo, day)]
  await recordOutcomes({ db: database.db, rates: noRates }, [{ ...aDecline(declined), at }])
  const file = [
    line(more, '12.50', day),
    line(less, '9.00', day),
    line(declined, '10.00', day),
    line(open, '10.00', day),
    `somebody else's,payment,33.00,USD,,${day}`,
    `B00000000000000000000000000,refund,5.00,USD,,${day}`,
  ]
  const report = await run('card', ...file)
  const differences = report.differences.map(({ kind, type, tradeNo, ours }) => {
    return [kind, type, tradeNo, ours?.amount]
  })
  assert.deepEqual(differences, [
    ['differs', 'payment', more.tradeNo, 1000n],
    ['differs', 'payment', less.tradeNo, 1000n],
    ['missing here', 'payment', declined.tradeNo, undefined],
    ['open here', 'payment', open.tradeNo, 1000n],
    ['missing here', 'payment', undefined, undefined],
    ['missing here', 'refund', undefined, undefined],
    ['missing there', 'payment', gone.tradeNo, 1000n],
  ])
  assert.equal(report.booked, 3)
  const held = (await listHeld(database.db, undefined, 10)).map(({ merNo, money, why, tradeNo }) => {
    return [merNo, money.amount, why, tradeNo]
  })
  assert.deepEqual(
    new Set(held),
    new Set([
      [merNo, 250n, 'surplus', more.tradeNo],
      [merNo, 1000n, 'late', declined.tradeNo],
      [0, 3300n, 'unmatched', undefined],
    ]),
  )
  const again = await run('card', ...file)
  assert.deepEqual({ booked: again.booked, different: again.different }, { booked: 0, different: 7 })
  assert.equal((await balancesOf(database.db, 0))['suspense USD'], 3300n)
  assert.equal((await balancesOf(database.db, merNo))['suspense USD'], 1250n)
})

async function newShop(day: string): Promise<number> {
  const options = readOptions({ name: 'Shop', sites: ['shop.example'] })
  const vault = openVault(Buffer.alloc(32, 1))
  const wanted = { options, pending: false, now: noon(day) }
  const { merNo } = await database.db.transaction((tx) => createMerchant(tx, vault, wanted))
  return merNo
}

/** Makes a paid order that the channel knows by a reference of its own. */
async function paidAs(channelRef: string, merNo: number, day: string): Promise<NewPayment> {
  const order = aPayment({ merNo, createdAt: noon(day), money: { amount: 1000n, currency: 'USD' } })
  await acceptPayments(database.db, [order])
  const outcome = { kind: 'succeeded', money: order.money, channelRef } as const
  const report = aSuccess(order, { at: noon(day), outcome })
  await recordOutcomes({ db: database.db, rates: noRates }, [report])
  return order
}

test("a payment is matched by the channel's own reference too, at that channel only, if no other has it", async () => {
  const [day, other] = ['2026-08-29', '2026-08-30']
  const [shop, second] = [await newShop(day), await newShop(day)]
  const order = await paidAs('their-own-17', shop, day)
  for (const merNo of [shop, shop]) await paidAs('twice-in-a-shop', merNo, other)
  for (const merNo of [shop, second]) await paidAs('in-two-shops', merNo, other)
  const indexer = createIndexer(database.db)
  while (await indexer.step(new Date()));
  const { matched, different } = await run('card', `their-own-17,payment,10.00,USD,,${day}`)
  assert.deepEqual({ matched, different }, { matched: 1, different: 0 })
  assert.deepEqual(
    await findByReference(database.db, 'card', [
      'their-own-17',
      'unknown',
      'twice-in-a-shop',
      'in-two-shops',
    ]),
    new Map([['their-own-17', referenceOf(order)]]),
  )
  assert.equal((await findByReference(database.db, 'pix', ['their-own-17'])).size, 0)
})

test('a payment that is listed twice was paid twice', async () => {
  const merNo = 55_000_003
  const order = await paidOrder(database.db, { merNo, at: noon('2026-08-05') })
  const twice = [line(order, '10.00', '2026-08-05'), line(order, '10.00', '2026-08-05')]
  const report = await run('card', ...twice)
  assert.deepEqual(
    { matched: report.matched, booked: report.booked, kind: report.differences[0]?.kind },
    { matched: 1, booked: 1, kind: 'twice' },
  )
  const again = await run('card', ...twice)
  assert.deepEqual(
    { matched: again.matched, booked: again.booked, kind: again.differences[0]?.kind },
    { matched: 1, booked: 0, kind: 'twice' },
    'money that only statements list does not become known by being listed again',
  )
  assert.equal((await balancesOf(database.db, merNo))['suspense USD'], 1000n)
})

test('money that an operator has accepted or returned is no difference', async () => {
  const merNo = 55_000_004
  const day = '2026-08-07'
  const [late, stray] = [await undecided(merNo, day), await undecided(merNo, day)]
  const outcome = { kind: 'failed', cause: 'cancelled', message: 'Nobody came' } as const
  const reports = [late, stray].map((order) => aSuccess(order, { outcome, at: noon(day) }))
  await recordOutcomes({ db: database.db, rates: noRates }, reports)
  const file = [line(late, '10.00', day), line(stray, '10.00', day)]
  assert.equal((await run('card', ...file)).different, 2)
  const held = await listHeld(database.db, merNo, 10)
  const idOf = (order: NewPayment) => held.find((item) => item.tradeNo === order.tradeNo)?.suspenseId ?? ''
  await acceptSuspense({ db: database.db, clock, rates: noRates }, idOf(late))
  await returnSuspense({ db: database.db, clock }, idOf(stray))
  const after = await run('card', ...file)
  assert.deepEqual(
    { matched: after.matched, different: after.different, booked: after.booked },
    { matched: 2, different: 0, booked: 0 },
  )
})

test('a channel without any bookings is refused, because its name may be misspelt', async () => {
  await assert.rejects(run('crad', `x,payment,1.00,USD,,2026-08-01`), /no money has ever passed through/)
})

for (const [wrong, said] of [
  ['r,payment,1.00,USD,2026-08-01', /line 3: must have 6 cells/],
  ['r,charge,1.00,USD,,2026-08-01', /line 3: the type must be one of/],
  [',payment,1.00,USD,,2026-08-01', /line 3: the reference/],
  [`${'r'.repeat(101)},payment,1.00,USD,,2026-08-01`, /line 3: the reference/],
  ['r,payment,1.001,USD,,2026-08-01', /line 3: the amount must be a decimal that fits USD/],
  ['r,payment,--1.00,USD,,2026-08-01', /line 3: the amount/],
  ['r,payment,0.00,USD,,2026-08-01', /line 3: the amount must not be zero/],
  ['r,payment,1.00,USDX,,2026-08-01', /line 3: the currency/],
  ['r,payment,1.00,USD,free,2026-08-01', /line 3: the fee/],
  ['r,payment,1.00,USD,,2026-02-30', /line 3: the date/],
  ['r,payment,1.00,USD,,yesterday', /line 3: the date/],
] as const) {
  test(`"${wrong.slice(0, 40)}" makes the whole file invalid, and nothing is booked`, async () => {
    const before = await listHeld(database.db, undefined, 100)
    await assert.rejects(run('card', 'good,payment,1.00,USD,,2026-08-01', wrong), said)
    assert.deepEqual(await listHeld(database.db, undefined, 100), before)
  })
}

test('a file without the header and an empty file are refused', async () => {
  async function* text(whole: string) {
    yield whole
  }
  await assert.rejects(readStatement(text('r,payment,1.00,USD,,2026-08-01\n')), /the first line must be/)
  await assert.rejects(readStatement(text('')), /the file is empty/)
  assert.deepEqual(await readStatement(text(`\uFEFF${header}\r\n`)), [])
  const quoted = header.split(',').map((name) => `"${name}"`)
  assert.deepEqual(await readStatement(text(`\uFEFF${quoted}\r\n`)), [])
})
