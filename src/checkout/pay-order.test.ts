// The bounds on tries, met by real attempts on a real database: the limits are off in the sandbox that stories run in.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { aShop, openPayBench, type PayBench } from '../../test/pay-bench.ts'
import {
  declines,
  type ScriptedChannel,
  scriptedChannel,
  succeeds,
  waitsForPayer,
} from '../../test/scripted-channel.ts'
import { methods } from '../channels/method.ts'
import { readEntered } from '../merchant-api/fields/read-entered.ts'
import { findPayment } from '../order-queries/find-payment.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { makeView } from './make-view.ts'
import { type Paid, tryToPay } from './pay-order.ts'
import { courseOf } from './payer-status.ts'
import { CARD_TRIES_PER_HOUR, tryLimits } from './try-limits.ts'

let database: TestDatabase
let bench: PayBench
let channel: ScriptedChannel
let deps: Parameters<typeof tryToPay>[0]

before(async () => {
  database = await cloneDatabase()
})
beforeEach(() => {
  channel = scriptedChannel('card')
  bench = openPayBench(database.db, [channel])
  deps = { ...bench.deps, tries: tryLimits('live', bench.clock), readEntered }
})
after(() => database.drop())

const billing = {
  billingFirstName: 'Test',
  billingLastName: 'Payer',
  billingEmail: 'payer@shop.example',
  billingZipCode: '15046',
  billingCountry: 'PE',
}

/** Opens the page of the order as it stands, and sends its form. */
async function press(
  order: NewPayment,
  changes: Record<string, string> = {},
  merchant = aShop(),
): Promise<Paid> {
  const payment = await findPayment(database.db, order)
  assert.ok(payment)
  const course = courseOf(payment, bench.clock.now())
  const view = makeView({
    payment,
    merchant,
    held: {},
    offered: ['card'],
    asksOf: (method) => methods[method].asks,
    returnUrl: '',
    course,
  })
  const card = { cardNo: '4242424242424242', cardExpiry: '12/39', cardSecurityCode: '123' }
  return tryToPay(
    deps,
    { payment, merchant, held: {}, view },
    {
      form: { method: 'card', attempt: String(view.attempts), ...card, ...billing, ...changes },
      browser: { address: '203.0.113.7', userAgent: 'Tester', accept: 'text/html' },
      completeUrl: 'https://pay.example/pay/token/complete',
    },
  )
}

describe('a card that keeps being declined', () => {
  it('is not tried any more, over all orders, until an hour has passed', async () => {
    channel.says.start = declines
    for (let n = 0; n < CARD_TRIES_PER_HOUR; n++)
      assert.equal((await press(await bench.hosted())).kind, 'started')
    const order = await bench.hosted()
    const refused = await press(order)
    assert.ok(refused.kind === 'wrong')
    assert.equal(refused.filling.notice, 'tooManyTries')
    assert.equal(refused.filling.values.billingZipCode, '15046')
    assert.equal(channel.started.length, CARD_TRIES_PER_HOUR)
    assert.equal((await press(order, { cardNo: '5555555555554444' })).kind, 'started')
    bench.pass(3_600_000)
    assert.equal((await press(await bench.hosted())).kind, 'started')
  })

  it('is counted while its bank asks the payer, and not for forms that begin nothing', async () => {
    channel.says.start = waitsForPayer
    const order = await bench.hosted()
    for (let n = 0; n < CARD_TRIES_PER_HOUR * 2; n++) await press(order, { attempt: '7' })
    for (let n = 0; n < CARD_TRIES_PER_HOUR; n++)
      assert.equal((await press(await bench.hosted())).kind, 'started')
    assert.equal((await press(await bench.hosted())).kind, 'wrong')
  })
})

describe('a card that pays', () => {
  it('may do so as often as it likes', async () => {
    channel.says.start = succeeds
    for (let n = 0; n < CARD_TRIES_PER_HOUR * 2; n++)
      assert.equal((await press(await bench.hosted())).kind, 'started')
  })
})

describe('an attempt', () => {
  it('takes what the browser says of itself to the channel, and what the payer entered', async () => {
    await press(await bench.hosted())
    const { details, card } = channel.started[0] ?? {}
    assert.equal(details?.userAgent, 'Tester')
    assert.equal(details?.ipAddress, '203.0.113.7')
    assert.equal(details?.billingZipCode, '15046')
    assert.equal(card?.expiryYear, '2039')
  })

  it('that is refused says at the field, or above the form, what helps', async () => {
    const noVisa = await press(await bench.hosted(), {}, aShop({ cardBrands: new Set(['mastercard']) }))
    assert.ok(noVisa.kind === 'wrong')
    assert.deepEqual(noVisa.filling.problems, { cardNo: 'cardBrand' })
    bench.limits.set('card', { daily: 1n, monthly: undefined })
    const overLimit = await press(await bench.hosted())
    assert.ok(overLimit.kind === 'wrong')
    assert.equal(overLimit.filling.notice, 'limit')
    const closed = await press(await bench.hosted(), {}, aShop({ state: 'suspended' }))
    assert.ok(closed.kind === 'wrong')
    assert.equal(closed.filling.notice, 'unavailable')
  })
})
