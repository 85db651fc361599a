import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aHosted, aPayment, aSuccess, noRates } from '../../test/builders.ts'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { waitUntilSomebodyWaits } from '../../test/lock-waits.ts'
import { paidOrder } from '../../test/paid-orders.ts'
import { acceptPayments } from '../payments/accept-payments.ts'
import { recordOutcomes } from '../payments/record-outcomes.ts'
import { isPreconditionFailed, type Tx } from '../postgres/db.ts'
import { lockOrder, lockOrders, lockPaidOrders } from './lock-orders.ts'
import { isBusy, type Order, State } from './order.ts'
import { changeOrders } from './write-changes.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

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
    assert.deepEqual([order.attempt, isBusy(order)], [undefined, false])
    second = database.db.transaction((other) => locked(other, hosted))
    await waitUntilSomebodyWaits(database.db)
    const entered = { card: undefined, details: {}, sealed: undefined }
    const next = { no: 1, channel: 'card', askAt: at, entered }
    await changeOrders(tx, [{ order, at, state: order.state, next, needsReview: true }])
  })
  const seen = await second
  assert.ok(seen)
  assert.deepEqual([seen.attempt?.no, isBusy(seen), seen.needsReview], [1, true, true])
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
  assert.deepEqual([order.state, order.version], [State.succeeded, 2])
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
    assert.deepEqual([one.needsReview, one.message], [false, 'Payment succeeded'])
    assert.deepEqual([one.paid?.position.marginHeld, one.paid?.position.remainder], [50n, 940n])
    assert.deepEqual([other.needsReview, other.message, other.received], [true, 'Checked', 0n])
  })
})
