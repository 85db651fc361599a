import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aHosted, aPayment, aSuccess, noRates } from '../../../test/builders/builders.ts'
import { paidOrder } from '../../../test/builders/paid-orders.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import { isPreconditionFailed, type Tx } from '../../platform/postgres/db.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { recordOutcomes } from '../payments/record-outcomes.ts'
import { lockOrder, lockOrders, lockPaidOrders } from './lock-orders.ts'
import { isBusy, type Order, State } from './order.ts'
import { changeOrders } from './write-changes.ts'

const database = useDatabase()

const at = new Date()

async function locked(tx: Tx, key: { merNo: number; tradeNo: string }): Promise<Order> {
  const order = await lockOrder(tx, { merNo: key.merNo, tradeNo: key.tradeNo })
  assert.ok(order)
  return order
}

test('a lock that had to wait sees the order and its attempts as the other transaction committed them', async () => {
  const hosted = aHosted({ merNo: 61_000_001 })
  await acceptPayments(database.db, [hosted])
  let second: Promise<Order> | undefined
  await database.db.transaction(async (tx) => {
    const order = await locked(tx, hosted)
    assert.deepEqual({ attempt: order.attempt, isBusy: isBusy(order) }, { attempt: undefined, isBusy: false })
    second = database.db.transaction((other) => locked(other, hosted))
    await waitUntilSomebodyWaits(database.db)
    const entered = { card: undefined, details: {}, sealed: undefined }
    const next = { no: 1, channel: 'card', askAt: at, entered }
    await changeOrders(tx, [{ order, at, state: order.state, next, needsReview: true }])
  })
  const seen = await second
  assert.ok(seen)
  assert.deepEqual(
    { attempt: seen.attempt?.no, isBusy: isBusy(seen), needsReview: seen.needsReview },
    { attempt: 1, isBusy: true, needsReview: true },
  )
})

test('an order is read with the requested attempt, else the one that took the money, else the latest', async () => {
  const payment = await paidOrder(database.db, { merNo: 61_000_002 })
  const { merNo, tradeNo } = payment
  await database.db.transaction(async (tx) => {
    assert.equal((await locked(tx, payment)).attempt?.state, 'succeeded')
    assert.equal((await lockOrder(tx, { merNo, tradeNo, attemptNo: 1 }))?.attempt?.no, 1)
    assert.equal(await lockOrder(tx, { merNo, tradeNo, attemptNo: 2 }), undefined)
  })
})

test('only orders that were paid have a position', async () => {
  const open = aPayment({ merNo: 61_000_003 })
  await acceptPayments(database.db, [open])
  const paid = await paidOrder(database.db, { merNo: 61_000_003 })
  await database.db.transaction(async (tx) => {
    assert.deepEqual([...(await lockPaidOrders(tx, [open, paid])).keys()], [paid.tradeNo])
    assert.equal((await lockOrders(tx, [open, paid])).size, 2)
    assert.equal((await locked(tx, open)).paid, undefined)
    assert.equal((await locked(tx, paid)).paid?.position.remainder, 1000n)
  })
})

test('a change fails and writes nothing if the version of the order has changed', async () => {
  const payment = aPayment({ merNo: 61_000_004 })
  await acceptPayments(database.db, [payment])
  const seen = await database.db.transaction((tx) => locked(tx, payment))
  await recordOutcomes({ db: database.db, rates: noRates }, [aSuccess(payment)])
  const late = { order: seen, at, state: State.cancelled, message: 'Too late' }
  await assert.rejects(
    database.db.transaction((tx) => changeOrders(tx, [late])),
    isPreconditionFailed,
  )
  const order = await database.db.transaction((tx) => locked(tx, payment))
  assert.deepEqual({ state: order.state, version: order.version }, { state: State.succeeded, version: 2 })
})

test('one batch may change different parts of its orders, and all other parts stay unchanged', async () => {
  const terms = { feeBps: 100, marginBps: 500 }
  const paid = await paidOrder(database.db, { merNo: 61_000_005, terms })
  const open = aPayment({ merNo: 61_000_005 })
  await acceptPayments(database.db, [open])
  await database.db.transaction(async (tx) => {
    const [one, other] = [await locked(tx, paid), await locked(tx, open)]
    const change = { at, message: 'Checked' }
    await changeOrders(tx, [
      { ...change, order: other, state: other.state, needsReview: true },
      { at, order: one, state: one.state, received: 1000n },
    ])
  })
  await database.db.transaction(async (tx) => {
    const [one, other] = [await locked(tx, paid), await locked(tx, open)]
    assert.deepEqual(
      { needsReview: one.needsReview, message: one.message },
      { needsReview: false, message: 'Payment succeeded' },
    )
    assert.deepEqual(
      { marginHeld: one.paid?.position.marginHeld, remainder: one.paid?.position.remainder },
      { marginHeld: 50n, remainder: 940n },
    )
    assert.deepEqual(
      { needsReview: other.needsReview, message: other.message, received: other.received },
      { needsReview: true, message: 'Checked', received: 0n },
    )
  })
})
