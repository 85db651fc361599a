// An issuer that declines may advise to challenge the payer, or never to try the card again.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import pino from 'pino'
import { anAttempt, aPayment } from '../../../test/builders/builders.ts'
import { assertMoneySound } from '../../../test/builders/paid-orders.ts'
import { aShop, openPayments, type TestPayments } from '../../../test/builders/payments.ts'
import {
  type ScriptedChannel,
  scriptedChannel,
  waitsForPayer,
} from '../../../test/counterparties/scripted-channel.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import type { CardDetails, Outcome } from '../../rails/contract/channel.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { State } from '../orders/order.ts'
import { openRisk, type Risk } from '../risk/risk.ts'
import { createForbidCard } from './forbid-card.ts'
import { makePayment } from './make-payment.ts'

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
      secrets: { card: hasCard ? card : undefined, walletToken: hasCard ? undefined : 'token', personal: {} },
      merchantName: 'Corner Shop',
      completeUrl: 'https://pay.example/pay/token/complete',
    }),
  )
  const found = await findPayment(database.db, payment)
  assert.ok(found)
  return { payment, found }
}

/** Sets the channel's responses, in this sequence. */
function answers(...list: (() => Outcome | Promise<Outcome>)[]): void {
  one.says.start = () => (list.shift() ?? waitsForPayer)()
}

test('a soft decline is tried once more at the same channel, under a reference of its own, with a challenge', async () => {
  answers(declined('challenge'), waitsForPayer)
  const { found } = await pay()
  assert.deepEqual(
    { state: found.state, attempts: found.attempts, channel: found.attempt?.channel },
    { state: State.processing, attempts: 2, channel: 'one' },
  )
  const [first, second] = one.started
  assert.deepEqual({ first: first?.challenge, second: second?.challenge }, { first: undefined, second: true })
  assert.notEqual(first?.reference, second?.reference)
  assert.deepEqual(second?.card, card)
  assert.equal(two.started.length, 0)
})

test('a second soft decline is final', async () => {
  answers(declined('challenge'), declined('challenge'), waitsForPayer)
  const { found } = await pay()
  assert.deepEqual(
    { state: found.state, attempts: found.attempts, started: one.started.length },
    { state: State.failed, attempts: 2, started: 2 },
  )
})

test('a soft decline of what was challenged already, or came without a card, is final', async () => {
  answers(declined('challenge'))
  const challenged = await pay({
    verdict: { hits: [], uses: [], refusal: undefined, challenges: true, reviews: false },
  })
  assert.deepEqual(
    { state: challenged.found.state, attempts: challenged.found.attempts },
    { state: State.failed, attempts: 1 },
  )
  answers(declined('challenge'))
  const { payment, found } = await pay({}, false)
  assert.deepEqual(
    { state: found.state, attempts: found.attempts },
    { state: State.failed, attempts: 1 },
    payment.tradeNo,
  )
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
  assert.deepEqual(
    { state: found.state, attempts: found.attempts, started: two.started.length },
    { state: State.failed, attempts: 1, started: 0 },
  )
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

test('an attempt without a card forbids nothing, and is no error', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
  const payment = aPayment({ merNo: ++merNo })
  await createForbidCard({ db: database.db, clock: setup.clock, log })({ ...payment, attemptNo: 1 })
  assert.deepEqual([await blocked(merNo), lines], [[], []])
})

test('a later attempt forbids the card as well: after a challenge, and at the next channel', async () => {
  answers(declined('challenge'), declined('never'))
  const challenged = await pay()
  assert.deepEqual(
    { state: challenged.found.state, one: one.started.length, two: two.started.length },
    { state: State.failed, one: 2, two: 0 },
  )
  assert.equal((await blocked(challenged.payment.merNo)).length, 1)
  answers(() => ({ kind: 'failed', cause: 'unreachable', message: 'down' }))
  two.says.start = declined('never')
  const passed = await pay()
  assert.deepEqual(
    { state: passed.found.state, attempts: passed.found.attempts },
    { state: State.failed, attempts: 2 },
  )
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
