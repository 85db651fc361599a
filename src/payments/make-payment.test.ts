import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { anAttempt, aPayment } from '../../test/builders.ts'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { waitUntilSomebodyWaits } from '../../test/lock-waits.ts'
import { assertMoneySound } from '../../test/paid-orders.ts'
import { openPayments, type TestPayments } from '../../test/payments.ts'
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
} from '../../test/scripted-channel.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import { State } from '../orders/order.ts'
import { makePayment } from './make-payment.ts'
import { startResolver } from './worker.ts'

let database: TestDatabase
let setup: TestPayments
let one: ScriptedChannel
let two: ScriptedChannel
before(async () => {
  database = await cloneDatabase()
})
beforeEach(() => {
  one = scriptedChannel('one')
  two = scriptedChannel('two')
  setup = openPayments(database.db, [one, two])
})
after(async () => {
  await assertMoneySound(database.db)
  await database.drop()
})

/** First at channel `one`, then at `two`. */
async function pay() {
  const payment = aPayment({ attempt: anAttempt(setup.clock.now(), { channel: 'one' }) })
  const made = await setup.deps.gate.countOf(payment.merNo, () =>
    makePayment(setup.deps, {
      payment,
      channels: [one, two],
      terminals: ['WEB'],
      card: undefined,
      walletToken: 'token',
      personal: { socialSecurityNumber: '529.982.247-25' },
      merchantName: 'Corner Shop',
      completeUrl: 'https://pay.example/pay/token/complete',
    }),
  )
  assert.equal(made.refusal, undefined)
  const found = await findPayment(database.db, payment)
  assert.ok(found)
  return { payment, made, found }
}

/** Runs it while its order is stored for longer than its call may take. */
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

describe('a payment that was stored too late', () => {
  it('is not charged: another node may have given it up', async () => {
    const { made, found } = await storedSlowly('orders', pay)
    assert.ok(made.refusal === undefined && made.outcome.kind === 'unknown')
    assert.deepEqual([one.started, found.state], [[], State.processing])
    one.says.ask = isCancelled
    setup.pass(10_000)
    await startResolver(setup.deps).stop()
    assert.equal((await findPayment(database.db, found))?.state, State.cancelled)
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
    const { found } = await pay()
    await slow
    assert.deepEqual([one.started.length, two.started, found.attempts], [1, [], 2])
  })

  it('is not charged if its payer chose the method on our page', async () => {
    const payment = await setup.hosted()
    const started = await storedSlowly('attempt_rows', () => setup.start(payment))
    assert.deepEqual([started.kind, one.started, two.started], ['started', [], []])
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
      assert.deepEqual([found.attempts, found.attempt?.channel, found.maxAttempts], [2, 'two', 1])
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
      assert.deepEqual([found.state, found.attempts, two.started.length], [state, 1, 0])
    })

  it('fails if the last one fails too', async () => {
    one.says.start = isUnreachable
    two.says.start = refusesToOpen
    const { found, made } = await pay()
    assert.deepEqual([found.state, found.attempts], [State.failed, 2])
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
      [request.merchantName, request.walletToken, request.personal, request.money, request.details],
      ['Corner Shop', 'token', { socialSecurityNumber: '529.982.247-25' }, payment.money, payment.details],
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
