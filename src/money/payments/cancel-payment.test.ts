import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { aPayment } from '../../../test/builders/builders.ts'
import { assertMoneySound, stateOf } from '../../../test/builders/paid-orders.ts'
import { openPayments, type TestPayments } from '../../../test/builders/payments.ts'
import {
  declines,
  isCancelled,
  isSilent,
  type ScriptedChannel,
  scriptedChannel,
  succeeds,
  waitsForPayer,
} from '../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { CALL_GRACE_MS } from '../orders/call-lease.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { State } from '../orders/order.ts'
import { acceptPayments } from './accept-payments.ts'
import { cancelPayment } from './cancel-payment.ts'
import { closeExpired } from './hosted/worker.ts'
import { recordOutcomes } from './record-outcomes.ts'
import { startResolver } from './worker.ts'

let setup: TestPayments
let card: ScriptedChannel
const database = useDatabase({
  after: ({ db }) => assertMoneySound(db),
})
beforeEach(() => {
  card = scriptedChannel('card')
  card.says.start = waitsForPayer
  setup = openPayments(database.db, [card])
})

const HALF_AN_HOUR_MS = 30 * 60_000

const cancel = (payment: NewPayment, what: 'order' | 'attempt') => cancelPayment(setup.deps, payment, what)

async function notificationsOf({ tradeNo }: NewPayment): Promise<object[]> {
  const rows = await database.db.query<{ fields: object }>({
    text: 'select fields from notifications where trade_no = $1',
    values: [tradeNo],
  })
  return rows.map(({ fields }) => fields)
}

async function usageOf({ merNo, localDay }: NewPayment): Promise<bigint> {
  const [row] = await database.db.query<{ used: bigint }>({
    text: `select used from limit_usage where mer_no = $1 and method = '' and period = $2`,
    values: [merNo, localDay],
  })
  return row?.used ?? 0n
}

/** The amount fields of a notification about a payment that `aPayment` made. */
const amounts = { currencyCode: 'USD', sourceAmount: '10.00' }

describe('a payer who cancels the order', () => {
  it('ends an order without an attempt: the merchant is notified, and the limits are given back', async () => {
    const payment = await setup.hosted({ merNo: 10_000_002 })
    assert.equal(await usageOf(payment), 1000n)
    const order = await cancel(payment, 'order')
    assert.deepEqual(
      { state: order?.state, message: order?.message },
      { state: State.cancelled, message: 'Cancelled by the payer' },
    )
    assert.equal(await usageOf(payment), 0n)
    const { tradeNo, merOrderNo } = payment
    const expected = [{ tradeNo, merOrderNo, code: '1', message: 'Cancelled by the payer', ...amounts }]
    assert.deepEqual(await notificationsOf(payment), expected)
    await cancel(payment, 'order')
    assert.deepEqual(await notificationsOf(payment), expected, 'once')
  })

  it('ends an order with a waiting attempt once the channel has cancelled it', async () => {
    const payment = await setup.hosted()
    await setup.start(payment)
    const order = await cancel(payment, 'order')
    assert.deepEqual(
      {
        state: order?.state,
        message: order?.message,
        attempt: order?.attempt?.state,
        cancelled: card.cancelled.length,
      },
      { state: State.cancelled, message: 'Cancelled by the payer', attempt: 'failed', cancelled: 1 },
    )
  })

  it('ends an order whose attempt was declined meanwhile', async () => {
    card.says.cancel = declines
    const payment = await setup.hosted()
    await setup.start(payment)
    assert.equal((await cancel(payment, 'order'))?.state, State.cancelled)
  })

  it('has paid if the channel reports a success', async () => {
    card.says.cancel = succeeds
    const payment = await setup.hosted()
    await setup.start(payment)
    assert.equal((await cancel(payment, 'order'))?.state, State.succeeded)
  })

  it('keeps waiting if the channel does not respond', async () => {
    card.says.cancel = isSilent
    const payment = await setup.hosted()
    await setup.start(payment)
    const order = await cancel(payment, 'order')
    assert.deepEqual(
      { state: order?.state, attempt: order?.attempt?.state },
      { state: State.processing, attempt: 'pending' },
    )
  })

  it('need not come back if the response was lost: the resolver cancels again', async () => {
    card.says.cancel = isSilent
    const payment = await setup.hosted()
    await setup.start(payment)
    await cancel(payment, 'order')
    card.says.cancel = isCancelled
    setup.pass(card.traits.timeoutMs + CALL_GRACE_MS)
    await startResolver({ ...setup.deps, everyMs: 500 }).stop()
    assert.equal(await stateOf(database.db, payment), State.cancelled)
  })

  it('also ends a payment that was never on our page', async () => {
    const payment = aPayment()
    await acceptPayments(database.db, [payment])
    const { merNo, tradeNo } = payment
    const outcome = await waitsForPayer()
    const report = { merNo, tradeNo, attemptNo: 1, outcome, at: new Date(), awaitsPayerMinutes: 30 }
    await recordOutcomes(setup.deps, [report])
    assert.equal(
      (await cancel(payment, 'attempt'))?.state,
      State.processing,
      'no further attempt is possible',
    )
    assert.equal((await cancel(payment, 'order'))?.state, State.cancelled)
  })
})

describe('a payer who wants to pay by another method', () => {
  it('cancels the attempt, and may start another', async () => {
    const payment = await setup.hosted()
    await setup.start(payment)
    const order = await cancel(payment, 'attempt')
    assert.deepEqual(
      { state: order?.state, attempt: order?.attempt?.state },
      { state: State.processing, attempt: 'failed' },
    )
    card.says.start = succeeds
    assert.equal((await setup.start(payment, { attempts: 1 })).kind, 'started')
    assert.equal(await stateOf(database.db, payment), State.succeeded)
  })

  it('cannot cancel the last allowed attempt', async () => {
    const payment = await setup.hosted({ maxAttempts: 1 })
    await setup.start(payment)
    const order = await cancel(payment, 'attempt')
    assert.deepEqual(
      { state: order?.attempt?.state, cancelled: card.cancelled.length },
      { state: 'pending', cancelled: 0 },
    )
  })
})

describe('an order that waits on our page', () => {
  const isListed = async ({ tradeNo }: NewPayment) => {
    const rows = await database.db.query({
      text: 'select trade_no from hosted_orders where trade_no = $1',
      values: [tradeNo],
    })
    return rows.length > 0
  }

  it('expires if it is not paid in time, and the merchant is notified', async () => {
    const payment = await setup.hosted()
    setup.pass(HALF_AN_HOUR_MS - 1)
    await closeExpired(setup.deps)
    assert.equal(await stateOf(database.db, payment), State.processing)
    setup.pass(1)
    const closed = await Promise.all([closeExpired(setup.deps), closeExpired(setup.deps)])
    assert.ok(closed.some((count) => count > 0))
    assert.equal(await stateOf(database.db, payment), State.cancelled)
    const { tradeNo, merOrderNo } = payment
    const message = 'Expired: nobody paid in time'
    assert.deepEqual(await notificationsOf(payment), [
      { tradeNo, merOrderNo, code: '1', message, ...amounts },
    ])
    assert.equal(await isListed(payment), false)
  })

  it('stays open while an attempt is open, and a while longer', async () => {
    const payment = await setup.hosted()
    await setup.start(payment)
    setup.pass(HALF_AN_HOUR_MS)
    await closeExpired(setup.deps)
    assert.deepEqual(
      { state: await stateOf(database.db, payment), isListed: await isListed(payment) },
      { state: State.processing, isListed: true },
    )
    await cancel(payment, 'attempt')
    card.says.start = declines
    assert.equal((await setup.start(payment, { attempts: 1 })).kind, 'started')
    setup.pass(HALF_AN_HOUR_MS)
    await closeExpired(setup.deps)
    assert.equal(await stateOf(database.db, payment), State.cancelled)
  })

  it('leaves the list once it is paid', async () => {
    card.says.start = succeeds
    const payment = await setup.hosted()
    await setup.start(payment)
    setup.pass(HALF_AN_HOUR_MS)
    await closeExpired(setup.deps)
    assert.deepEqual(
      { state: await stateOf(database.db, payment), isListed: await isListed(payment) },
      { state: State.succeeded, isListed: false },
    )
  })

  it('either ends or gets an attempt when both come concurrently', async () => {
    card.says.start = succeeds
    for (let round = 0; round < 10; round++) {
      const payment = await setup.hosted()
      const [started] = await Promise.all([setup.start(payment), cancel(payment, 'order')])
      const state = await stateOf(database.db, payment)
      assert.equal(state, started.kind === 'started' ? State.succeeded : State.cancelled)
    }
  })
})
