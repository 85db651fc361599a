// What an issuer advises with a decline: a challenge first, or never again.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { anAttempt, aPayment } from '../../test/builders.ts'
import { eventually } from '../../test/eventually.ts'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { assertMoneySound } from '../../test/paid-orders.ts'
import { aShop, openPayments, type TestPayments } from '../../test/payments.ts'
import { type ScriptedChannel, scriptedChannel, waitsForPayer } from '../../test/scripted-channel.ts'
import type { CardDetails, Outcome } from '../channels/contract.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { State } from '../orders/order.ts'
import { openRisk, type Risk } from '../risk/risk.ts'
import { makePayment } from './make-payment.ts'

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

const card: CardDetails = {
  number: '4242424242424242',
  expiryMonth: '12',
  expiryYear: '2039',
  securityCode: '123',
}

const declined = (advice: 'challenge' | 'never') => (): Outcome => {
  return { kind: 'failed', cause: 'declined', message: 'Declined', advice }
}

let merNo = 46_000_000

async function pay(changes: Partial<NewPayment> = {}, hasCard = true) {
  const attempt = anAttempt(setup.clock.now(), { channel: 'one' })
  const payment = aPayment({ merNo: ++merNo, attempt, ...changes })
  await setup.deps.gate.countOf(payment.merNo, () =>
    makePayment(setup.deps, {
      payment,
      channels: [one, two],
      terminals: ['WEB'],
      card: hasCard ? card : undefined,
      walletToken: hasCard ? undefined : 'token',
      personal: {},
      merchantName: 'Corner Shop',
      completeUrl: 'https://pay.example/pay/token/complete',
    }),
  )
  const found = await findPayment(database.db, payment)
  assert.ok(found)
  return { payment, found }
}

/** The first answer, then the others. */
function answers(...list: (() => Outcome | Promise<Outcome>)[]): void {
  one.says.start = () => (list.shift() ?? waitsForPayer)()
}

test('a soft decline is tried once more at the same channel, under a reference of its own, with a challenge', async () => {
  answers(declined('challenge'), waitsForPayer)
  const { found } = await pay()
  assert.deepEqual([found.state, found.attempts, found.attempt?.channel], [State.processing, 2, 'one'])
  const [first, second] = one.started
  assert.deepEqual([first?.challenge, second?.challenge], [undefined, true])
  assert.notEqual(first?.reference, second?.reference)
  assert.deepEqual(second?.card, card)
  assert.equal(two.started.length, 0)
})

test('a second soft decline is final', async () => {
  answers(declined('challenge'), declined('challenge'), waitsForPayer)
  const { found } = await pay()
  assert.deepEqual([found.state, found.attempts, one.started.length], [State.failed, 2, 2])
})

test('a soft decline of what was challenged already, or came without a card, is final', async () => {
  answers(declined('challenge'))
  const challenged = await pay({
    verdict: { hits: [], uses: [], refusal: undefined, challenges: true, reviews: false },
  })
  assert.deepEqual([challenged.found.state, challenged.found.attempts], [State.failed, 1])
  answers(declined('challenge'))
  const { payment, found } = await pay({}, false)
  assert.deepEqual([found.state, found.attempts], [State.failed, 1], payment.tradeNo)
  assert.equal(two.started.length, 0)
})

async function blocked(merchant: number) {
  return database.db.query<{ shown: string; hours: number }>({
    text: `select shown, extract(epoch from expires_at - created_at)::int / 3600 as hours from risk_entries
      where mer_no = $1 and list = 'block' and kind = 'card'`,
    values: [merchant],
  })
}

test("a card that may never be tried again is on the merchant's block list for a day", async () => {
  answers(declined('never'), declined('never'))
  const { payment, found } = await pay()
  assert.deepEqual([found.state, found.attempts, two.started.length], [State.failed, 1, 0])
  assert.deepEqual(await blocked(payment.merNo), [{ shown: '424242…4242', hours: 24 }])
  await pay({ merNo: payment.merNo })
  assert.equal((await blocked(payment.merNo)).length, 1)
  const risk = await openRisk({ db: database.db, clock: setup.clock, maxQueue: 10 })
  try {
    await refusesSoon(risk, payment)
  } finally {
    risk.close()
  }
})

test('a later attempt forbids the card as well: after a challenge, and at the next channel', async () => {
  answers(declined('challenge'), declined('never'))
  const challenged = await pay()
  assert.deepEqual([challenged.found.state, one.started.length, two.started.length], [State.failed, 2, 0])
  assert.equal((await blocked(challenged.payment.merNo)).length, 1)
  answers(() => ({ kind: 'failed', cause: 'unreachable', message: 'down' }))
  two.says.start = declined('never')
  const passed = await pay()
  assert.deepEqual([passed.found.state, passed.found.attempts], [State.failed, 2])
  assert.equal((await blocked(passed.payment.merNo)).length, 1)
})

test('a soft decline on our page is challenged once, too', async () => {
  setup = openPayments(database.db, [one])
  answers(declined('challenge'), declined('challenge'), waitsForPayer)
  const payment = await setup.hosted({ merNo: ++merNo })
  await setup.start(payment, {}, aShop({ merNo: payment.merNo }))
  assert.deepEqual(
    one.started.map(({ challenge }) => challenge),
    [undefined, true],
  )
})

test('a payer on our page cannot try a forbidden card again, at any channel, but another card', async () => {
  const risk = await openRisk({ db: database.db, clock: setup.clock, maxQueue: 10 })
  try {
    setup = openPayments(database.db, [one, two], risk)
    one.says.start = declined('never')
    two.says.start = declined('never')
    const payment = await setup.hosted({ merNo: ++merNo })
    const shop = aShop({ merNo: payment.merNo })
    const tried = () => one.started.length + two.started.length
    await setup.start(payment, {}, shop)
    assert.equal(tried(), 1)
    assert.ok(await eventually(() => risk.concerns(payment.merNo)))
    const again = await setup.start(payment, { attempts: 1 }, shop)
    assert.ok(again.kind === 'started' && again.recorded.attemptState === 'failed')
    assert.equal(tried(), 1)
    await setup.start(payment, { attempts: 2, card: { ...card, number: '5555555555554444' } }, shop)
    assert.equal(tried(), 2)
  } finally {
    risk.close()
  }
})

async function refusesSoon(risk: Risk, { merNo, attempt }: NewPayment): Promise<void> {
  const subject = { merNo, method: 'card', usdValue: 100n, card: attempt?.card, details: {} }
  await eventually(async () => (await risk.check(subject))?.refusal !== undefined)
  const other = { ...subject, merNo: merNo + 1_000 }
  assert.equal(await risk.check(other), undefined, 'other merchants are not concerned')
}
