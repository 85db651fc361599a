import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { anAttempt, aPayment } from '../../../test/builders/builders.ts'
import { stateOf } from '../../../test/builders/paid-orders.ts'
import { openPayments } from '../../../test/builders/payments.ts'
import {
  isCancelled,
  isSilent,
  scriptedChannel,
  succeeds,
  waitsForPayer,
} from '../../../test/counterparties/scripted-channel.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { Outcome } from '../../rails/contract/channel.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { claimAttempts } from '../orders/open-attempts.ts'
import { attemptReference, State } from '../orders/order.ts'
import { acceptPayments } from './accept-payments.ts'
import { cancelPayment } from './cancel-payment.ts'
import { completePayment } from './complete-payment.ts'
import { startResolver } from './worker.ts'

const database = useDatabase()

/** Makes attempts whose call was interrupted. The resolver is due to ask the channel about them. */
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
    await startResolver({ ...setup.deps, everyMs: 500 }).stop()
    assert.deepEqual(
      { asked: card.asked.length, state: await stateOf(database.db, payment) },
      { asked: 1, state: State.processing },
    )
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
    await startResolver({ ...setup.deps, everyMs: 500 }).stop()
    const order = await findPayment(database.db, payment)
    assert.deepEqual(
      { cancelled: card.cancelled.length, state: order?.state, message: order?.message },
      { cancelled: 1, state: State.cancelled, message: 'Expired: nobody paid in time' },
    )
  })

  describe('at a channel whose waiting payments can be asked about', () => {
    const MINUTE_MS = 60_000

    /**
     * Makes a payment that waits for its payer. While it waits, the resolver must not call `ask`, because `ask` voids
     * the payment.
     */
    async function waitingPayment() {
      const looked: number[] = []
      const channel = scriptedChannel('card')
      const says: { look: () => Outcome | Promise<Outcome> } = { look: waitsForPayer }
      const card = {
        ...channel,
        async askWaiting() {
          looked.push((setup.clock.now().getTime() - begunAt) / MINUTE_MS)
          return says.look()
        },
      }
      const setup = openPayments(database.db, [card])
      const begunAt = setup.clock.now().getTime()
      const payment = await setup.hosted()
      card.says.start = waitsForPayer
      await setup.start(payment)
      /** Lets the minutes pass, and runs the resolver every half minute. */
      const wait = async (minutes: number) => {
        for (let half = 0; half < minutes * 2; half++) {
          setup.pass(MINUTE_MS / 2)
          await startResolver({ ...setup.deps, everyMs: 500 }).stop()
        }
      }
      const states = async () => {
        const order = await findPayment(database.db, payment)
        return { order: order?.state, attempt: order?.attempt?.state }
      }
      return { card, looked, says, setup, payment, wait, states }
    }

    it('finds a payer whose callback was lost, after pauses that grow', async () => {
      const { looked, says, wait, states } = await waitingPayment()
      await wait(10)
      assert.deepEqual(
        { looked, ...(await states()) },
        { looked: [1, 3, 8], order: State.processing, attempt: 'pending' },
      )
      says.look = succeeds
      await wait(15)
      assert.deepEqual(
        { looked, ...(await states()) },
        { looked: [1, 3, 8, 23], order: State.succeeded, attempt: 'succeeded' },
      )
    })

    it('leaves the payer the whole time, whatever the channel does not say, and cancels then', async () => {
      const { card, looked, says, wait, states } = await waitingPayment()
      says.look = isSilent
      await wait(2)
      says.look = () => Promise.reject(new Error('a bug'))
      await wait(27.5)
      const { asked, cancelled } = card
      assert.deepEqual(
        { looked: looked.length, asked, cancelled, ...(await states()) },
        { looked: 4, asked: [], cancelled: [], order: State.processing, attempt: 'pending' },
      )
      await wait(0.5)
      assert.deepEqual(
        { cancelled: cancelled.length, looked: looked.length, ...(await states()) },
        { cancelled: 1, looked: 4, order: State.cancelled, attempt: 'failed' },
      )
    })

    it('ends the payment if the channel says that it failed', async () => {
      const { card, says, wait, states } = await waitingPayment()
      says.look = isCancelled
      await wait(1)
      assert.deepEqual(
        { cancelled: card.cancelled, ...(await states()) },
        { cancelled: [], order: State.cancelled, attempt: 'failed' },
      )
    })

    it('is not put off by visits of the page, and asks again after a crash', async () => {
      const { card, looked, setup, payment, wait } = await waitingPayment()
      card.says.complete = waitsForPayer
      for (let visit = 0; visit < 3; visit++) {
        await wait(0.5)
        await completePayment(setup.deps, payment, {})
      }
      assert.deepEqual(looked, [1])
      setup.pass(2 * MINUTE_MS)
      // A node claims the attempt and dies.
      const claim = { now: setup.clock.now(), leaseUntil: new Date(setup.clock.now().getTime() + 5_000) }
      assert.equal((await claimAttempts(database.db, { ...claim, limit: 10, busy: [] })).length, 1)
      await wait(0.5)
      assert.deepEqual({ looked, cancelled: card.cancelled }, { looked: [1, 4], cancelled: [] })
    })

    it('is not claimed while another node is claiming it', async () => {
      const { setup, payment } = await waitingPayment()
      setup.pass(2 * MINUTE_MS)
      const now = setup.clock.now()
      const { claiming } = await database.db.transaction(async (tx) => {
        const text = `update attempt_rows set ask_at = $1 where trade_no = $2 and ask_at is not null returning 1`
        const later = new Date(now.getTime() + MINUTE_MS)
        assert.equal((await tx.query({ text, values: [later, payment.tradeNo] })).length, 1)
        const leaseUntil = new Date(now.getTime() + 5_000)
        const claiming = claimAttempts(database.db, { now, leaseUntil, limit: 10, busy: [] })
        await Promise.race([claiming, sleep(500)])
        return { claiming }
      })
      assert.deepEqual(await claiming, [])
    })

    it('cancels again what the payer cancelled, if the response was lost', async () => {
      const { card, looked, setup, payment, wait, states } = await waitingPayment()
      card.says.cancel = isSilent
      await cancelPayment(setup.deps, payment, 'order')
      await wait(0.5)
      assert.deepEqual(
        { cancelled: card.cancelled.length, ...(await states()) },
        { cancelled: 2, order: State.processing, attempt: 'pending' },
      )
      card.says.cancel = isCancelled
      await wait(0.5)
      assert.deepEqual(
        { cancelled: card.cancelled.length, looked, ...(await states()) },
        { cancelled: 3, looked: [], order: State.cancelled, attempt: 'failed' },
      )
      const records = await database.db.query({ text: 'select key from channel_records' })
      assert.deepEqual(records, [])
    })

    it('leaves the attempt to a payer who wanted another method, if the response was lost', async () => {
      const { card, looked, setup, payment, wait, states } = await waitingPayment()
      card.says.cancel = isSilent
      await cancelPayment(setup.deps, payment, 'attempt')
      card.says.cancel = isCancelled
      await wait(1)
      assert.deepEqual(
        { cancelled: card.cancelled.length, looked, ...(await states()) },
        { cancelled: 1, looked: [1], order: State.processing, attempt: 'pending' },
      )
      await cancelPayment(setup.deps, payment, 'attempt')
      assert.deepEqual(await states(), { order: State.processing, attempt: 'failed' })
    })
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
    await startResolver({ ...setup.deps, log, everyMs: 500 }).stop()
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
    const first = startResolver({ ...deps, everyMs: 500 })
    try {
      assert.ok(await eventually(() => card.asked.length === 1))
      card.says.ask = isCancelled
      await startResolver({ ...deps, everyMs: 500 }).stop()
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
    const resolver = startResolver({ ...deps, everyMs: 500 })
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
