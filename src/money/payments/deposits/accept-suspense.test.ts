import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPayment, aSuccess, noRates } from '../../../../test/builders/builders.ts'
import { assertMoneySound, balancesOf, stateOf, stepsOf } from '../../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../../test/harness/harness.ts'
import { waitUntilSomebodyWaits } from '../../../../test/harness/lock-waits.ts'
import { lockPaidOrders } from '../../orders/lock-orders.ts'
import type { NewPayment } from '../../orders/new-order.ts'
import { bookSuspense, findHeld, listHeld, type NewSuspense } from '../../suspense/book-suspense.ts'
import { returnSuspense } from '../../suspense/release-suspense.ts'
import type { Suspense } from '../../suspense/suspense.ts'
import { acceptPayments } from '../accept-payments.ts'
import { recordOutcomes } from '../record-outcomes.ts'
import { acceptSuspense } from './accept-suspense.ts'

const database = useDatabase({
  after: ({ db }) => assertMoneySound(db),
})

const now = new Date('2026-07-02T08:00:00Z')
const deps = () => ({ db: database.db, clock: { now: () => now }, rates: noRates })
const terms = { ...aPayment().terms, feeBps: 1_000, marginBps: 1_000 }

/** An order of 10.00 USD that was not paid in time. */
async function expired(merNo: number): Promise<NewPayment> {
  const order = aPayment({ merNo, terms, createdAt: new Date('2026-07-01T08:00:00Z') })
  await acceptPayments(database.db, [order])
  const outcome = { kind: 'failed', cause: 'cancelled', message: 'Nobody came' } as const
  await recordOutcomes({ db: database.db, rates: noRates }, [
    aSuccess(order, { outcome, at: order.createdAt }),
  ])
  return order
}

let count = 0
async function book(changes: Partial<NewSuspense> & Pick<NewSuspense, 'merNo'>): Promise<Suspense> {
  const money = { amount: 1000n, currency: 'USD' }
  const reference = `channel-${++count}`
  const about = { channel: 'card', origin: 'channel', why: 'late' } as const
  const item = { ...about, reference, money, at: now, ...changes }
  const [booked] = await database.db.transaction((tx) => bookSuspense(tx, [item]))
  assert.ok(booked)
  return booked
}

function notifications({ merNo, tradeNo }: NewPayment): Promise<{ fields: Record<string, string> }[]> {
  return database.db.query({
    text: 'select fields from notifications where mer_no = $1 and trade_no = $2 order by made_at',
    values: [merNo, tradeNo],
  })
}

async function usageOf(merNo: number): Promise<bigint[]> {
  const rows = await database.db.query<{ used: bigint }>({
    text: 'select used from limit_usage where mer_no = $1',
    values: [merNo],
  })
  return rows.map((row) => row.used)
}

test('late money goes to suspense for its order, and is booked once even if it is reported again', async () => {
  const order = await expired(54_000_001)
  const { merNo, tradeNo } = order
  const attempt = { tradeNo, attemptNo: 1 }
  const item = await book({ merNo, attempt, reference: 'same' })
  const again = { ...item, origin: 'channel', attempt, at: now } as const
  assert.deepEqual(await database.db.transaction((tx) => bookSuspense(tx, [again])), [])
  assert.deepEqual(await balancesOf(database.db, merNo), { 'rail:card USD': -1000n, 'suspense USD': 1000n })
  assert.deepEqual(await stepsOf(database.db, order), [`suspense:${item.suspenseId}`])
  assert.deepEqual(await listHeld(database.db, merNo, 10), [item])
})

test('an order with accepted money succeeds as if paid in time: booked, counted and notified', async () => {
  const order = await expired(54_000_002)
  const { merNo, tradeNo } = order
  assert.deepEqual(await usageOf(merNo), [0n, 0n])
  const item = await book({ merNo, attempt: { tradeNo, attemptNo: 1 } })
  const { surplus } = await acceptSuspense(deps(), item.suspenseId)
  assert.equal(surplus, undefined)
  assert.equal(await stateOf(database.db, order), 5)
  assert.deepEqual(await balancesOf(database.db, merNo), {
    'merchant:margin USD': 100n,
    'merchant:unsettled USD': 800n,
    'platform:fees USD': 100n,
    'rail:card USD': -1000n,
  })
  assert.deepEqual(await usageOf(merNo), [1000n, 1000n])
  assert.deepEqual(
    (await notifications(order)).map(({ fields }) => [fields.code, fields.receiveAmount]),
    [
      ['1', undefined],
      ['0', '10.00'],
    ],
  )
  const dues = await database.db.query({
    text: 'select kind, margin_at > due_at as margin_follows from order_dues where mer_no = $1',
    values: [merNo],
  })
  assert.deepEqual(dues, [{ kind: 'settle', margin_follows: true }])
})

test('several parts are accepted together; of a short payment the merchant gets, and can refund, only that', async () => {
  const order = await expired(54_000_003)
  const { merNo, tradeNo } = order
  const part = (amount: bigint) =>
    ({ merNo, attempt: { tradeNo, attemptNo: 1 }, why: 'short', money: { amount, currency: 'USD' } }) as const
  const first = await book(part(500n))
  await book(part(300n))
  const { accepted } = await acceptSuspense(deps(), first.suspenseId)
  assert.equal(accepted.length, 2)
  const balances = await balancesOf(database.db, merNo)
  assert.deepEqual(
    { unsettled: balances['merchant:unsettled USD'], suspense: balances['suspense USD'] },
    { unsettled: 640n, suspense: undefined },
  )
  const paid = await database.db.transaction((tx) => lockPaidOrders(tx, [order]))
  const position = paid.get(tradeNo)?.paid.position
  assert.deepEqual(
    { amount: position?.amount, remainder: position?.remainder, margin: position?.margin },
    { amount: 800n, remainder: 640n, margin: 80n },
  )
})

test('a surplus stays in suspense in its own row, which can be returned', async () => {
  const order = await expired(54_000_004)
  const { merNo, tradeNo } = order
  const item = await book({
    merNo,
    attempt: { tradeNo, attemptNo: 1 },
    money: { amount: 1250n, currency: 'USD' },
  })
  const { surplus } = await acceptSuspense(deps(), item.suspenseId)
  assert.ok(surplus)
  assert.deepEqual(
    { amount: surplus.money.amount, why: surplus.why, tradeNo: surplus.tradeNo },
    { amount: 250n, why: 'surplus', tradeNo },
  )
  const [row] = await database.db.query<{ received: bigint }>({
    text: 'select received from orders where trade_no = $1',
    values: [tradeNo],
  })
  assert.equal(row?.received, 1250n)
  await assert.rejects(acceptSuspense(deps(), surplus.suspenseId), /is not one that was cancelled or expired/)
  await returnSuspense(deps(), surplus.suspenseId)
  const balances = await balancesOf(database.db, merNo)
  assert.deepEqual(
    { suspense: balances['suspense USD'], rail: balances['rail:card USD'] },
    { suspense: undefined, rail: -1000n },
  )
})

test('of concurrent decisions on the same money one counts', async () => {
  const order = await expired(54_000_005)
  const { merNo, tradeNo } = order
  const { suspenseId } = await book({ merNo, attempt: { tradeNo, attemptNo: 1 } })
  const words = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? acceptSuspense(deps(), suspenseId) : returnSuspense(deps(), suspenseId),
  )
  const results = await Promise.allSettled(words)
  assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1)
  for (const result of results)
    if (result.status === 'rejected') assert.match(String(result.reason), /OperatorRefusal/)
  assert.deepEqual(await listHeld(database.db, merNo, 10), [])
})

test('money that is returned while other money of its order is accepted is not accepted as well', async () => {
  const { merNo, tradeNo } = await expired(54_000_008)
  const attempt = { tradeNo, attemptNo: 1 }
  const [kept, returned] = [await book({ merNo, attempt }), await book({ merNo, attempt })]
  const { accepting } = await database.db.transaction(async (tx) => {
    await returnSuspense({ ...deps(), db: { transaction: (work) => work(tx) } }, returned.suspenseId)
    const accepting = acceptSuspense(deps(), kept.suspenseId)
    await waitUntilSomebodyWaits(database.db)
    return { accepting }
  })
  const { accepted, surplus } = await accepting
  assert.deepEqual(
    { accepted: accepted.map(({ suspenseId }) => suspenseId), surplus },
    { accepted: [kept.suspenseId], surplus: undefined },
  )
})

test('money without an order can only be returned', async () => {
  const { suspenseId } = await book({ merNo: 0, why: 'unmatched' })
  await assert.rejects(acceptSuspense(deps(), suspenseId), /belongs to no order/)
  assert.equal((await returnSuspense(deps(), suspenseId)).state, 'returned')
  await assert.rejects(returnSuspense(deps(), suspenseId), /was returned before/)
})

test('money in another currency than the order is not accepted for it', async () => {
  const { merNo, tradeNo } = await expired(54_000_006)
  const { suspenseId } = await book({
    merNo,
    attempt: { tradeNo, attemptNo: 1 },
    money: { amount: 900n, currency: 'EUR' },
  })
  await assert.rejects(acceptSuspense(deps(), suspenseId), /the order is in USD, this money in EUR/)
})

test('money in suspense is found by its own number, its order and its reference until it is decided', async () => {
  const { merNo, tradeNo } = await expired(54_000_007)
  const { suspenseId } = await book({ merNo, attempt: { tradeNo, attemptNo: 1 }, reference: 'bank-77' })
  await book({ merNo, reference: 'bank-78' })
  const find = async () => {
    const all = [suspenseId, tradeNo, 'bank-77'].map((number) => findHeld(database.db, number, 10))
    return (await Promise.all(all)).map((found) => found.map((one) => one.suspenseId))
  }
  assert.deepEqual(await find(), [[suspenseId], [suspenseId], [suspenseId]])
  await returnSuspense(deps(), suspenseId)
  assert.deepEqual(await find(), [[], [], []])
})

for (const id of ['', 'S1', 'T0123456789ABCDEFGHJKMNPQRS', 'S0000000000000000000000000!']) {
  test(`"${id}" is not an id of money in suspense`, async () => {
    await assert.rejects(acceptSuspense(deps(), id), /there is no money in suspense/)
    await assert.rejects(returnSuspense(deps(), id), /there is no money in suspense/)
  })
}
