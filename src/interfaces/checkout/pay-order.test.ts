// Tests the attempt limits with real attempts on a real database. The tests in test/stories run in sandbox, which has
// no limits.
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { aShop, openPayments, type TestPayments } from '../../../test/builders/payments.ts'
import {
  declines,
  type ScriptedChannel,
  scriptedChannel,
  succeeds,
  waitsForPayer,
} from '../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { findPayment } from '../../money/order-queries/find-payment.ts'
import type { NewPayment } from '../../money/orders/new-order.ts'
import { methods } from '../../rails/methods/methods.ts'
import { readEntered } from '../merchant-api/fields/read-entered.ts'
import { attemptLimits, CARD_ATTEMPTS_PER_HOUR } from './limits.ts'
import { makeView } from './make-view.ts'
import { type PayResult, payOrder } from './pay-order.ts'
import { payerStatusOf } from './status/payer-status.ts'

let setup: TestPayments
let channel: ScriptedChannel
let deps: Parameters<typeof payOrder>[0]

const database = useDatabase()
beforeEach(() => {
  channel = scriptedChannel('card')
  setup = openPayments(database.db, [channel])
  deps = { ...setup.deps, attemptLimits: attemptLimits('live', setup.clock), readEntered }
})

const billing = {
  billingFirstName: 'Test',
  billingLastName: 'Payer',
  billingEmail: 'payer@shop.example',
  billingZipCode: '15046',
  billingCountry: 'PE',
}

/** Opens the order's page and submits its form. */
async function press(
  order: NewPayment,
  changes: Record<string, string> = {},
  merchant = aShop(),
): Promise<PayResult> {
  const payment = await findPayment(database.db, order)
  assert.ok(payment)
  const payerStatus = payerStatusOf(payment, setup.clock.now())
  const view = makeView({
    payment,
    merchant,
    merchantFields: {},
    offered: ['card'],
    asksOf: (method) => methods[method].asks,
    returnUrl: '',
    payerStatus,
    sandbox: true,
  })
  const card = { cardNo: '4242424242424242', cardExpiry: '12/39', cardSecurityCode: '123' }
  return payOrder(
    deps,
    { payment, merchant, merchantFields: {}, view },
    {
      form: { method: 'card', attempt: String(view.attempts), ...card, ...billing, ...changes },
      browser: { address: '203.0.113.7', userAgent: 'Tester', accept: 'text/html' },
      completeUrl: 'https://pay.example/pay/token/complete',
    },
  )
}

describe('a card that keeps being declined', () => {
  it('is refused for all orders until an hour has passed', async () => {
    channel.says.start = declines
    for (let n = 0; n < CARD_ATTEMPTS_PER_HOUR; n++)
      assert.equal((await press(await setup.hosted())).kind, 'started')
    const order = await setup.hosted()
    const refused = await press(order)
    assert.ok(refused.kind === 'invalid')
    assert.equal(refused.formState.notice, 'tooManyAttempts')
    assert.equal(refused.formState.values.billingZipCode, '15046')
    assert.equal(channel.started.length, CARD_ATTEMPTS_PER_HOUR)
    assert.equal((await press(order, { cardNo: '5555555555554444' })).kind, 'started')
    setup.pass(3_600_000)
    assert.equal((await press(await setup.hosted())).kind, 'started')
  })

  it('counts while its challenge is open, but not for forms that start nothing', async () => {
    channel.says.start = waitsForPayer
    const order = await setup.hosted()
    for (let n = 0; n < CARD_ATTEMPTS_PER_HOUR * 2; n++) await press(order, { attempt: '7' })
    for (let n = 0; n < CARD_ATTEMPTS_PER_HOUR; n++)
      assert.equal((await press(await setup.hosted())).kind, 'started')
    assert.equal((await press(await setup.hosted())).kind, 'invalid')
  })
})

describe('a card that pays', () => {
  it('is not limited', async () => {
    channel.says.start = succeeds
    for (let n = 0; n < CARD_ATTEMPTS_PER_HOUR * 2; n++)
      assert.equal((await press(await setup.hosted())).kind, 'started')
  })
})

describe('an attempt', () => {
  it('sends the channel the browser details and what the payer entered', async () => {
    await press(await setup.hosted())
    const { details, card } = channel.started[0] ?? {}
    assert.equal(details?.userAgent, 'Tester')
    assert.equal(details?.ipAddress, '203.0.113.7')
    assert.equal(details?.billingZipCode, '15046')
    assert.equal(card?.expiryYear, '2039')
  })

  it('that is refused shows the reason at the field or above the form', async () => {
    const noVisa = await press(await setup.hosted(), {}, aShop({ cardBrands: new Set(['mastercard']) }))
    assert.ok(noVisa.kind === 'invalid')
    assert.deepEqual(noVisa.formState.problems, { cardNo: 'cardBrand' })
    setup.limits.set('card', { daily: 1n, monthly: undefined })
    const overLimit = await press(await setup.hosted())
    assert.ok(overLimit.kind === 'invalid')
    assert.equal(overLimit.formState.notice, 'limit')
    const closed = await press(await setup.hosted(), {}, aShop({ state: 'suspended' }))
    assert.ok(closed.kind === 'invalid')
    assert.equal(closed.formState.notice, 'unavailable')
  })
})
