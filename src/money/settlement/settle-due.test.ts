import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertMoneySound, balancesOf, paidOrder, stepsOf } from '../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Rate } from '../../platform/base/money.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { foldTotals } from '../orders/daily-totals.ts'
import { type Run, settleDue } from './settle-due.ts'

const database = useDatabase({ maxConnections: 20 })

const clock = { now: () => new Date() }
const DAY_MS = 86_400_000

function settleAsOf(asOf: Date, batchSize = 200): Promise<Run> {
  const failed = (_merNo: number, error: unknown) => assert.fail(String(error))
  return settleDue({ db: database.db, clock, failed, batchSize }, asOf)
}

/** Settles as of a time when everything in these tests is due. */
const later = () => settleAsOf(new Date(Date.now() + 1000 * DAY_MS))

test("an order that is due in two days is settled at the second midnight in its merchant's time zone", async () => {
  const merNo = 41_000_001
  // At this time it is late on the 10th in UTC, and already the 11th in Tokyo.
  const at = new Date('2026-03-10T20:00:00Z')
  await paidOrder(database.db, { merNo, at, timezone: 'Asia/Tokyo', terms: { settleDays: 2 } })
  await settleAsOf(new Date('2026-03-12T14:59:59.999Z'))
  assert.deepEqual(await balancesOf(database.db, merNo), {
    'merchant:unsettled USD': 1000n,
    'rail:card USD': -1000n,
  })
  const run = await settleAsOf(new Date('2026-03-12T15:00:00Z'))
  assert.deepEqual(run, { sums: [{ kind: 'settle', currency: 'USD', orders: 1, amount: 1000n }], waiting: 0 })
  assert.deepEqual(await balancesOf(database.db, merNo), {
    'merchant:available USD': 1000n,
    'rail:card USD': -1000n,
  })
})

test('a settled order shows as settled in queries and totals', async () => {
  const merNo = 41_000_002
  const { tradeNo } = await paidOrder(database.db, { merNo })
  assert.equal((await findPayment(database.db, { merNo, tradeNo }))?.settled, false)
  await later()
  assert.equal((await findPayment(database.db, { merNo, tradeNo }))?.settled, true)
  await foldTotals(database.db, 1000)
  const totals = await database.db.query({
    text: 'select settled, orders, source_amount from order_totals where mer_no = $1 and orders <> 0',
    values: [merNo],
  })
  assert.deepEqual(totals, [{ settled: true, orders: 1n, source_amount: 1000n }])
})

test('the remainder is converted at the rate of the success, not at an earlier or later one', async () => {
  const merNo = 41_000_003
  const accepted: Rate = { digits: 5n, scale: 1 }
  const rate: Rate = { digits: 9137n, scale: 4 }
  const terms = { feeBps: 290, feeFixed: 30n, settleCurrency: 'EUR', settleRate: accepted }
  await paidOrder(database.db, { merNo, terms, rate })
  const run = await later()
  // 10.00 minus 0.29 and 0.30 is 9.41; at 0.9137 that is 8.598….
  assert.deepEqual(run.sums, [{ kind: 'settle', currency: 'EUR', orders: 1, amount: 859n }])
  assert.deepEqual(await balancesOf(database.db, merNo), {
    'merchant:available EUR': 859n,
    'platform:exchange EUR': -859n,
    'platform:exchange USD': 941n,
    'platform:fees USD': 59n,
    'rail:card USD': -1000n,
  })
})

test('the margin is released after its days, not before', async () => {
  const merNo = 41_000_004
  const at = new Date('2026-01-01T12:00:00Z')
  const terms = { marginBps: 1000, marginDays: 180, settleDays: 1 }
  const order = await paidOrder(database.db, { merNo, at, terms })
  await settleAsOf(new Date('2026-06-29T23:59:59Z'))
  assert.deepEqual(await balancesOf(database.db, merNo), {
    'merchant:available USD': 900n,
    'merchant:margin USD': 100n,
    'rail:card USD': -1000n,
  })
  const run = await settleAsOf(new Date('2026-06-30T00:00:00Z'))
  assert.deepEqual(run.sums, [{ kind: 'margin', currency: 'USD', orders: 1, amount: 100n }])
  assert.deepEqual(await stepsOf(database.db, order), ['margin', 'margin-release', 'payment', 'settle'])
  const left = await database.db.query({
    text: 'select * from order_dues where mer_no = $1',
    values: [merNo],
  })
  assert.deepEqual(left, [])
})

test('a remainder below zero waits until the available balance covers it, and delays no other order', async () => {
  const merNo = 41_000_005
  const owing = { feeFixed: 1600n }
  const inDays = (days: number) => new Date(Date.now() - (20 - days) * DAY_MS)
  await paidOrder(database.db, { merNo, terms: owing, at: inDays(0) })
  await paidOrder(database.db, { merNo, terms: owing, at: inDays(1) })
  const first = await settleAsOf(inDays(3), 1)
  assert.deepEqual(first, { sums: [], waiting: 2 })

  await paidOrder(database.db, { merNo, at: inDays(4), amount: 700n })
  const second = await settleAsOf(inDays(6), 1)
  assert.deepEqual(second, {
    sums: [{ kind: 'settle', currency: 'USD', orders: 2, amount: 100n }],
    waiting: 1,
  })
  assert.equal((await balancesOf(database.db, merNo))['merchant:unsettled USD'], -600n)

  await paidOrder(database.db, { merNo, at: inDays(7), amount: 500n })
  const third = await later()
  assert.deepEqual(third, {
    sums: [{ kind: 'settle', currency: 'USD', orders: 2, amount: -100n }],
    waiting: 0,
  })
  assert.equal((await balancesOf(database.db, merNo))['merchant:available USD'], undefined)
})

test('a margin that is due before its order is settled is released then', async () => {
  const merNo = 41_000_012
  const at = new Date('2026-04-01T08:00:00Z')
  await paidOrder(database.db, { merNo, at, terms: { marginBps: 1000, marginDays: 2, settleDays: 5 } })
  const early = await settleAsOf(new Date('2026-04-03T00:00:00Z'))
  assert.deepEqual(early.sums, [{ kind: 'margin', currency: 'USD', orders: 1, amount: 100n }])
  const late = await settleAsOf(new Date('2026-04-06T00:00:00Z'))
  assert.deepEqual(late.sums, [{ kind: 'settle', currency: 'USD', orders: 1, amount: 900n }])
})

test('an order that waits for cover is settled once its own margin is released', async () => {
  const merNo = 41_000_013
  const at = new Date('2026-04-01T08:00:00Z')
  const terms = { feeFixed: 950n, marginBps: 1000, marginDays: 10, settleDays: 1 }
  await paidOrder(database.db, { merNo, at, terms })
  assert.deepEqual(await settleAsOf(new Date('2026-04-05T00:00:00Z')), { sums: [], waiting: 1 })
  assert.deepEqual(await settleAsOf(new Date('2026-04-10T23:59:59Z')), { sums: [], waiting: 1 })
  assert.deepEqual(await settleAsOf(new Date('2026-04-11T00:00:00Z')), {
    sums: [
      { kind: 'margin', currency: 'USD', orders: 1, amount: 100n },
      { kind: 'settle', currency: 'USD', orders: 1, amount: -50n },
    ],
    waiting: 0,
  })
})

test('a hundred concurrent settlements settle each of three hundred orders once', async () => {
  const merNos = [41_000_006, 41_000_007, 41_000_008]
  const terms = { marginBps: 500, marginDays: 1, feeBps: 100 }
  const orders = await Promise.all(
    Array.from({ length: 300 }, (_, at) => paidOrder(database.db, { merNo: merNos[at % 3] ?? 0, terms })),
  )
  const runs = await Promise.all(Array.from({ length: 100 }, later))
  const sums = runs.flatMap((run) => run.sums)
  const total = (kind: string) => {
    const those = sums.filter((sum) => sum.kind === kind)
    return {
      orders: those.reduce((sum, one) => sum + one.orders, 0),
      amount: those.reduce((sum, one) => sum + one.amount, 0n),
    }
  }
  assert.deepEqual(total('settle'), { orders: 300, amount: 300n * 940n })
  assert.deepEqual(total('margin'), { orders: 300, amount: 300n * 50n })
  for (const merNo of merNos)
    assert.equal((await balancesOf(database.db, merNo))['merchant:available USD'], 100n * 990n)
  for (const order of orders.slice(0, 3))
    assert.deepEqual(await stepsOf(database.db, order), [
      'handling-fee',
      'margin',
      'margin-release',
      'payment',
      'settle',
    ])
})

test('payments that succeed meanwhile cause no deadlock and are not lost', async () => {
  const merNo = 41_000_009
  const eur = { money: { amount: 1000n, currency: 'EUR' }, merNo }
  const pairs = Array.from({ length: 40 }, async (_, at) => {
    await paidOrder(database.db, at % 2 === 0 ? { merNo } : eur)
    await later()
  })
  await Promise.all(pairs)
  await later()
  const { 'merchant:available USD': usd, 'merchant:available EUR': euros } = await balancesOf(
    database.db,
    merNo,
  )
  assert.deepEqual({ usd, euros }, { usd: 20_000n, euros: 20_000n })
})

test('leaves the books sound', () => assertMoneySound(database.db))
