import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { anAttempt, aPayment } from '../../test/builders.ts'
import { eventually } from '../../test/eventually.ts'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { stateOf } from '../../test/paid-orders.ts'
import { openPayments } from '../../test/payments.ts'
import {
  isCancelled,
  isSilent,
  scriptedChannel,
  succeeds,
  waitsForPayer,
} from '../../test/scripted-channel.ts'
import type { Outcome } from '../channels/contract.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { attemptReference, State } from '../orders/order.ts'
import { acceptPayments } from './accept-payments.ts'
import { startResolver } from './worker.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

/** Attempts whose call was interrupted, due for a query. */
async function lostCalls(channel: string, count: number, now: Date) {
  const payments = Array.from({ length: count }, () =>
    aPayment({ createdAt: now, attempt: anAttempt(now, { channel, askAt: new Date(now.getTime() - 1) }) }),
  )
  await acceptPayments(database.db, payments)
  return payments
}

describe('the resolver', () => {
  it('leaves the payer the other attempts if an attempt was never opened', async () => {
    const card = scriptedChannel('card')
    const setup = openPayments(database.db, [card])
    const payment = await setup.hosted()
    card.says.start = isSilent
    card.says.ask = isCancelled
    await setup.start(payment)
    setup.pass(10_000)
    await startResolver(setup.deps).stop()
    assert.deepEqual([card.asked.length, await stateOf(database.db, payment)], [1, State.processing])
    card.says.start = succeeds
    assert.equal((await setup.start(payment, { attempts: 1 })).kind, 'started')
    assert.equal(await stateOf(database.db, payment), State.succeeded)
  })

  it('ends an order whose payer did not act on the waiting attempt', async () => {
    const card = scriptedChannel('card')
    const setup = openPayments(database.db, [card])
    const payment = await setup.hosted()
    card.says.start = waitsForPayer
    await setup.start(payment)
    setup.pass(31 * 60_000)
    await startResolver(setup.deps).stop()
    const order = await findPayment(database.db, payment)
    assert.deepEqual(
      [card.cancelled.length, order?.state, order?.message],
      [1, State.cancelled, 'Expired: nobody paid in time'],
    )
  })

  it("says in the log why it does not know an outcome, such as a counterparty's wrong amount", async () => {
    const card = scriptedChannel('card')
    const setup = openPayments(database.db, [card])
    const payment = await setup.hosted()
    card.says.start = isSilent
    card.says.ask = () => ({ kind: 'unknown', why: 'the bank asks the payer for another amount' })
    await setup.start(payment)
    setup.pass(10_000)
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    await startResolver({ ...setup.deps, log }).stop()
    const { tradeNo } = payment
    const said = lines.map((line) => JSON.parse(line)).find((one) => one.tradeNo === tradeNo)
    assert.partialDeepStrictEqual(said, {
      outcome: 'unknown',
      why: 'the bank asks the payer for another amount',
    })
  })

  it('does not ask again while another node is asking', async () => {
    const card = scriptedChannel('asked once')
    const { promise: answered, resolve: answer } = Promise.withResolvers<Outcome>()
    card.says.ask = () => answered
    const { deps, clock } = openPayments(database.db, [card])
    const [payment] = await lostCalls('asked once', 1, clock.now())
    assert.ok(payment)
    const first = startResolver(deps)
    try {
      assert.ok(await eventually(() => card.asked.length === 1))
      card.says.ask = isCancelled
      await startResolver(deps).stop()
      assert.equal(card.asked.length, 1)
    } finally {
      answer(await succeeds())
      await first.stop()
    }
    assert.equal(await stateOf(database.db, payment), State.succeeded)
  })

  it('does not wait for a slow channel', async () => {
    const [slow, quick] = [scriptedChannel('slow'), scriptedChannel('quick')]
    const { promise: answered, resolve: answer } = Promise.withResolvers<Outcome>()
    slow.says.ask = () => answered
    const { deps, clock } = openPayments(database.db, [slow, quick])
    const waiting = await lostCalls('slow', 400, new Date(clock.now().getTime() - 60_000))
    const [first] = await lostCalls('quick', 1, clock.now())
    const resolver = startResolver(deps)
    try {
      assert.ok(first)
      const isPaid = async () => (await stateOf(database.db, first)) === State.succeeded
      assert.ok(await eventually(isPaid), 'the fast channel does not wait for the slow one')
      const [second] = await lostCalls('quick', 1, clock.now())
      assert.ok(second)
      const isSecondPaid = async () => (await stateOf(database.db, second)) === State.succeeded
      assert.ok(await eventually(isSecondPaid))
      assert.ok(slow.asked.length < 200, `${slow.asked.length} calls under way at one channel`)
      assert.equal(new Set(slow.asked).size, slow.asked.length, 'no attempt is queried twice meanwhile')
    } finally {
      answer(await succeeds())
      await resolver.stop()
    }
    const asked = waiting.filter(({ tradeNo }) => slow.asked.includes(attemptReference(tradeNo, 1)))
    const states = await Promise.all(asked.map((payment) => stateOf(database.db, payment)))
    assert.deepEqual(new Set(states), new Set([State.succeeded]), 'a stop waits for the calls in progress')
  })
})
