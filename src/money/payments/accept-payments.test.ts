import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDecline, aPayment, merchantLimits, noRates } from '../../../test/builders/builders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { createBatcher } from '../../platform/postgres/batch.ts'
import { findDuplicate } from '../orders/accept-orders.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { type Accepted, acceptPayment, acceptPayments, openAcceptBatch } from './accept-payments.ts'
import { recordOutcomes } from './record-outcomes.ts'

const database = useDatabase()

const deps = () => ({ db: database.db, rates: noRates })

const aNode = () => ({ acceptBatch: openAcceptBatch(database.db, { maxQueue: 1000 }) })

const codes = (results: readonly Accepted[]) =>
  results.map((result) => (result.kind === 'accepted' ? '' : result.refusal.code))

async function countOrders(merNo: number): Promise<number> {
  const [row] = await database.db.query<{ n: bigint }>({
    text: 'select count(*) as n from orders where mer_no = $1',
    values: [merNo],
  })
  return Number(row?.n)
}

async function usedOf(merNo: number, method = ''): Promise<bigint[]> {
  const rows = await database.db.query<{ used: bigint }>({
    text: 'select used from limit_usage where mer_no = $1 and method = $2 order by period desc',
    values: [merNo, method],
  })
  return rows.map((row) => row.used)
}

test('a hundred concurrent identical orders create exactly one', async () => {
  const node = aNode()
  const number = { merNo: 20_000_001, merOrderNo: 'the same' }
  const results = await Promise.all(Array.from({ length: 100 }, () => acceptPayment(node, aPayment(number))))
  assert.equal(results.filter((result) => result.kind === 'accepted').length, 1)
  assert.deepEqual(new Set(codes(results)), new Set(['', '10003']))
  assert.equal(await countOrders(number.merNo), 1)
  assert.deepEqual(await usedOf(number.merNo), [1000n, 1000n], 'refused orders count against no limit')
})

test('a payment with a known trade number is a duplicate, whichever key the database checks first', async () => {
  const payment = aPayment({ merNo: 20_000_013 })
  const accept = async (merOrderNo: string) =>
    codes(await acceptPayments(database.db, [{ ...payment, merOrderNo }]))
  assert.deepEqual(await accept('first'), [''])
  assert.deepEqual(await accept('second'), ['10003'])
  assert.deepEqual(await accept('first'), ['10003'])
  assert.equal(await countOrders(payment.merNo), 1)
})

test('a used number is refused as too soon within a second, and as a duplicate afterwards', async () => {
  const number = { merNo: 20_000_002, merOrderNo: 'again' }
  const at = (ms: number) => new Date(Date.UTC(2026, 10, 15, 12, 0, 0, ms))
  assert.deepEqual(codes(await acceptPayments(database.db, [aPayment({ ...number, createdAt: at(0) })])), [
    '',
  ])
  assert.deepEqual(codes(await acceptPayments(database.db, [aPayment({ ...number, createdAt: at(999) })])), [
    '10003',
  ])
  assert.deepEqual(codes(await acceptPayments(database.db, [aPayment({ ...number, createdAt: at(1000) })])), [
    '10009',
  ])
  assert.equal((await findDuplicate(database.db, number.merNo, 'again', at(5000)))?.refusal.code, '10009')
  assert.equal(await findDuplicate(database.db, number.merNo, 'never', at(5000)), undefined)
})

test('two merchants may use the same order number', async () => {
  const orders = [20_000_003, 20_000_004].map((merNo) => aPayment({ merNo, merOrderNo: 'mine' }))
  assert.deepEqual(codes(await acceptPayments(database.db, orders)), ['', ''])
})

test('a daily limit is exact for a hundred concurrent payments on several nodes', async () => {
  const merNo = 20_000_005
  const limits = merchantLimits(merNo, new Date().toISOString().slice(0, 10), 25_000n, 10n ** 9n)
  const nodes = [aNode(), aNode(), aNode()] as const
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      acceptPayment(nodes[index % 3] ?? nodes[0], aPayment({ merNo, limits })),
    ),
  )
  const accepted = results.filter((result) => result.kind === 'accepted')
  assert.equal(accepted.length, 25)
  assert.equal(await countOrders(merNo), 25)
  assert.deepEqual(await usedOf(merNo), [25_000n, 25_000n])
})

test('a limit is exact to the cent, also when it is partly used', async () => {
  const merNo = 20_000_012
  const limits = merchantLimits(merNo, new Date().toISOString().slice(0, 10), 2000n, 10n ** 9n)
  const accept = async (usdValue: bigint) =>
    codes(await acceptPayments(database.db, [aPayment({ merNo, limits, usdValue })]))
  assert.deepEqual(await accept(1000n), [''])
  assert.deepEqual(await accept(1001n), ['10024'])
  assert.deepEqual(await accept(1000n), [''])
  assert.deepEqual(await accept(1n), ['10024'])
  assert.deepEqual(await usedOf(merNo), [2000n, 2000n])
})

test('a small order still fits after a large one was refused in the same batch', async () => {
  const merNo = 20_000_006
  const limits = merchantLimits(merNo, new Date().toISOString().slice(0, 10), 10n ** 9n, 2500n)
  const orders = [1000n, 2000n, 1500n, 1n].map((usdValue) => aPayment({ merNo, limits, usdValue }))
  assert.deepEqual(codes(await acceptPayments(database.db, orders)), ['', '10025', '', '10025'])
  assert.deepEqual(await usedOf(merNo), [2500n, 2500n])
})

test('at the limit, a number that was used before is refused as a duplicate', async () => {
  const merNo = 20_000_007
  const limits = merchantLimits(merNo, new Date().toISOString().slice(0, 10), 1000n, 1000n)
  const first = aPayment({ merNo, limits })
  assert.deepEqual(codes(await acceptPayments(database.db, [first])), [''])
  const again = aPayment({ merNo, limits, merOrderNo: first.merOrderNo })
  assert.deepEqual(codes(await acceptPayments(database.db, [again, aPayment({ merNo, limits })])), [
    '10003',
    '10024',
  ])
})

test("the platform's limit for a method counts all merchants, and a failure gives it back", async () => {
  const day = new Date().toISOString().slice(0, 10)
  const platform = { merNo: 0, method: 'card', period: day, most: 2000n, code: '10016' } as const
  const order = (merNo: number) =>
    aPayment({ merNo, limits: [platform, ...merchantLimits(merNo, day, 10n ** 9n, 10n ** 9n)] })
  const [one, two, three] = [order(20_000_008), order(20_000_009), order(20_000_010)]
  assert.ok(one && two && three)
  assert.deepEqual(codes(await acceptPayments(database.db, [one, two, three])), ['', '', '10016'])
  await recordOutcomes(deps(), [aDecline(one)])
  assert.deepEqual(codes(await acceptPayments(database.db, [order(20_000_011)])), [''])
  assert.deepEqual((await usedOf(0, 'card'))[0], 2000n)
})

for (let position = 0; position < 5; position++) {
  test(`an order that the database cannot store, at position ${position} of five, fails alone`, async () => {
    const merNo = 20_001_000 + position
    const accept = createBatcher<NewPayment, Accepted>({
      maxBatch: 10,
      maxQueue: 10,
      flush: (payments) => acceptPayments(database.db, payments),
    })
    const money = { amount: 10n ** 30n, currency: 'USD' }
    const orders = Array.from({ length: 5 }, (_, index) =>
      aPayment(index === position ? { merNo, money } : { merNo }),
    )
    const results = await Promise.allSettled(orders.map((order) => accept.submit(order)))
    const failed = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []))
    assert.deepEqual(failed, [position])
    assert.equal(await countOrders(merNo), 4)
    assert.deepEqual(await usedOf(merNo), [4000n, 4000n], 'the failed order took nothing')
  })
}
