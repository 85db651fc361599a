import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { anAttempt, aPayment } from '../../../test/builders/builders.ts'
import { assertMoneySound } from '../../../test/builders/paid-orders.ts'
import { openPayments, type TestPayments } from '../../../test/builders/payments.ts'
import {
  declines,
  isCancelled,
  isSilent,
  isUnreachable,
  refusesToOpen,
  type ScriptedChannel,
  scriptedChannel,
  succeeds,
  waitsForPayer,
} from '../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { waitUntilSomebodyWaits } from '../../../test/harness/lock-waits.ts'
import type { Channel } from '../../rails/contract/channel.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { type NewPayment, openOrderOf } from '../orders/new-order.ts'
import { attemptReference, State } from '../orders/order.ts'
import { acceptPayments } from './accept-payments.ts'
import { callChannels, makePayment, type PaymentCall } from './make-payment.ts'
import { startResolver } from './worker.ts'

let setup: TestPayments
let one: ScriptedChannel
let two: ScriptedChannel
const database = useDatabase({
  after: ({ db }) => assertMoneySound(db),
})
beforeEach(() => {
  one = scriptedChannel('one')
  two = scriptedChannel('two')
  setup = openPayments(database.db, [one, two])
})

const paymentAt = (channel: string) => aPayment({ attempt: anAttempt(setup.clock.now(), { channel }) })

const wanted: Omit<PaymentCall, 'payment'> = {
  terminals: ['WEB'],
  secrets: { card: undefined, walletToken: 'token', personal: { socialSecurityNumber: '529.982.247-25' } },
  merchantName: 'Corner Shop',
  completeUrl: 'https://pay.example/pay/token/complete',
}

/** Makes a payment that tries channel `one` first, then the other channels. */
async function pay(payment = paymentAt('one'), channels: readonly Channel[] = [one, two]) {
  const made = await setup.deps.gate.countOf(payment.merNo, () =>
    makePayment(setup.deps, { payment, channels, ...wanted }),
  )
  assert.equal(made.refusal, undefined)
  const found = await findPayment(database.db, payment)
  assert.ok(found)
  return { payment, made, found }
}

/** A payment whose first attempt is late as soon as it is stored. */
function lateAt(channel: string): NewPayment {
  const askAt = setup.clock.now()
  return aPayment({ createdAt: askAt, attempt: anAttempt(askAt, { channel, askAt }) })
}

/** Runs the work, and makes storing a row in the table take longer than the call's lease. */
async function storedSlowly<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  const { db } = database
  let result: Promise<Result> | undefined
  await db.transaction(async (tx) => {
    await tx.query({ text: `lock table ${table} in share mode` })
    result = work()
    await waitUntilSomebodyWaits(db)
    setup.pass(20_000)
  })
  assert.ok(result)
  return result
}

/** The references of the attempts that the channel was called for. */
const startedAt = (channel: ScriptedChannel) => channel.started.map(({ reference }) => reference)

describe('an attempt that was stored too late', () => {
  it('is not charged, and another one at its channel is', async () => {
    const { payment, made, found } = await storedSlowly('orders', pay)
    assert.ok(made.refusal === undefined && made.outcome.kind === 'succeeded')
    assert.deepEqual(
      { one: startedAt(one), two: two.started, state: found.state },
      { one: [attemptReference(payment.tradeNo, 2)], two: [], state: State.succeeded },
    )
    assert.deepEqual(one.asked, [], 'nothing is left to ask about')
  })

  it('ends its order if that one is late, too, and there is no other channel', async () => {
    const { made, found } = await storedSlowly('attempt_rows', () => pay(lateAt('one'), [one]))
    assert.ok(made.refusal === undefined && made.outcome.kind === 'failed')
    assert.deepEqual(
      { cause: made.outcome.cause, started: one.started, state: found.state },
      { cause: 'unreachable', started: [], state: State.failed },
    )
    assert.equal(found.attempts, 2)
  })

  it('goes to the next channel if that one is late, too', async () => {
    const { payment, found } = await storedSlowly('attempt_rows', () => pay(lateAt('one')))
    const third = attemptReference(payment.tradeNo, 3)
    assert.deepEqual(
      { one: one.started, two: startedAt(two), state: found.state },
      { one: [], two: [third], state: State.succeeded },
    )
  })

  it('is not followed by another one if a node has given the order up meanwhile', async () => {
    const payment = lateAt('one')
    const { merNo, tradeNo, attempt } = payment
    assert.ok(attempt)
    await acceptPayments(database.db, [payment])
    one.says.ask = isCancelled
    setup.pass(20_000)
    await startResolver({ ...setup.deps, everyMs: 500 }).stop()
    const begun = { merNo, tradeNo, attemptNo: 1, lostAt: attempt.askAt, challenge: undefined }
    const called = { ...begun, channels: [one, two], accepted: openOrderOf(payment, attempt) }
    const { recorded } = await setup.deps.gate.countOf(merNo, () =>
      callChannels(setup.deps, { payment, ...wanted }, called),
    )
    assert.deepEqual(
      { one: one.started, two: two.started, state: recorded.orderState },
      { one: [], two: [], state: State.cancelled },
    )
  })

  it('is not charged by the next channel either', async () => {
    const { db } = database
    let slow: Promise<void> | undefined
    one.says.start = async () => {
      const locked = Promise.withResolvers<void>()
      slow = db.transaction(async (tx) => {
        await tx.query({ text: 'lock table attempt_rows in share mode' })
        locked.resolve()
        await waitUntilSomebodyWaits(db)
        setup.pass(20_000)
      })
      await locked.promise
      return isUnreachable()
    }
    const { payment } = await pay()
    await slow
    assert.deepEqual(
      { one: one.started.length, two: startedAt(two) },
      { one: 1, two: [attemptReference(payment.tradeNo, 3)] },
    )
  })

  it('is not charged if its payer chose the method on our page', async () => {
    const payment = await setup.hosted()
    await storedSlowly('attempt_rows', () => setup.start(payment))
    const started = [...startedAt(one), ...startedAt(two)]
    assert.deepEqual(started, [attemptReference(payment.tradeNo, 2)])
  })
})

describe('a payment with several channels', () => {
  for (const [trouble, says] of [
    ['cannot be reached', isUnreachable],
    ['refuses to open it', refusesToOpen],
  ] as const)
    it(`goes to the next in a new attempt if the first ${trouble}`, async () => {
      one.says.start = says
      const { found } = await pay()
      assert.equal(found.state, State.succeeded)
      assert.deepEqual(
        { attempts: found.attempts, channel: found.attempt?.channel, maxAttempts: found.maxAttempts },
        { attempts: 2, channel: 'two', maxAttempts: 1 },
      )
      const references = [one, two].map(({ started }) => started.map(({ reference }) => reference))
      assert.equal(references.flat().length, 2)
      assert.notEqual(references[0]?.[0], references[1]?.[0])
    })

  for (const [answer, says, state] of [
    ['a decline', declines, State.failed],
    ['silence', isSilent, State.processing],
    ['a payer who is asked to act', waitsForPayer, State.processing],
  ] as const)
    it(`stays at the first after ${answer}`, async () => {
      one.says.start = says
      const { found } = await pay()
      assert.deepEqual(
        { state: found.state, attempts: found.attempts, started: two.started.length },
        { state, attempts: 1, started: 0 },
      )
    })

  it('fails if the last one fails too', async () => {
    one.says.start = isUnreachable
    two.says.start = refusesToOpen
    const { found, made } = await pay()
    assert.deepEqual({ state: found.state, attempts: found.attempts }, { state: State.failed, attempts: 2 })
    assert.ok(made.refusal === undefined && made.outcome.kind === 'failed')
    assert.equal(made.outcome.cause, 'refused')
  })

  it('gives each channel its callback address, the expiry and the merchant', async () => {
    const { payment } = await pay()
    const [request] = one.started
    assert.ok(request)
    assert.equal(request.callbackUrl, 'https://pay.example/callbacks/one')
    assert.equal(request.expiresAt.getTime(), setup.clock.now().getTime() + 30 * 60_000)
    assert.deepEqual(
      {
        merchantName: request.merchantName,
        walletToken: request.walletToken,
        personal: request.personal,
        money: request.money,
        details: request.details,
      },
      {
        merchantName: 'Corner Shop',
        walletToken: 'token',
        personal: { socialSecurityNumber: '529.982.247-25' },
        money: payment.money,
        details: payment.details,
      },
    )
  })

  it('does not count as working while it waits for a channel', async () => {
    const { gate } = setup.deps
    const { merNo } = aPayment()
    const entered: boolean[] = []
    one.says.start = () => {
      entered.push(gate.enter(merNo))
      return isUnreachable()
    }
    two.says.start = () => {
      entered.push(gate.enter(merNo))
      return succeeds()
    }
    const { payment } = await pay()
    assert.equal(payment.merNo, merNo)
    assert.deepEqual(entered, [true, false])
  })

  it('starts with the working channel once the other keeps failing', async () => {
    one.says.start = isUnreachable
    for (let at = 0; at < 5; at++) await pay()
    const first = () => setup.deps.routing.pick('card', undefined)[0]?.name
    assert.deepEqual(new Set(Array.from({ length: 20 }, first)), new Set(['two']))
  })
})
