// Payments by methods that charge the whole price or nothing: charged at once, declined, challenged, or without an
// answer until a later report. A report may arrive at several nodes at the same moment.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { acceptPayments } from '../../src/money/payments/accept-payments.ts'
import { preparePayment } from '../../src/money/payments/prepare-payment.ts'
import { recordOutcomes } from '../../src/money/payments/record-outcomes.ts'
import type { Outcome } from '../../src/rails/contract/channel.ts'
import { aSuccess } from '../../test/builders/builders.ts'
import { codeOf, type Gateway, silent } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import { cancelAttempt, declineAttempt, hearNothing } from '../rules/attempts.ts'
import { receive, succeed } from '../rules/deposits.ts'
import type { Model, Order, Shop } from '../rules/facts.ts'
import { countedNow, limitRefusal, singleRefusal } from '../rules/limits.ts'
import { isByTransfer, type Method, methodNames, payersTimeMs, takes } from '../rules/methods.ts'
import { currencies, everyCurrency } from '../rules/money.ts'
import { isBusy, needsReview, termsAtAcceptance, unpaid } from '../rules/orders.ts'
import { cents, priced } from './amounts.ts'

let count = 0

/** Accepts or refuses a payment in the gateway and the model. Returns the order if the payment is accepted. */
export async function acceptOrder(
  model: Model,
  gateway: Gateway,
  wanted: { shop: Shop; method: Method; currency: string; cents: number },
): Promise<Order | undefined> {
  const { shop, method, currency } = wanted
  const { wire, amount } = priced(currency, wanted.cents)
  const card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2039', securityCode: '123' }
  const answer = await codeOf(async () => {
    const { payment } = await preparePayment(gateway, gateway.merchantOf(shop), method, {
      currencyCode: currency,
      sourceAmount: wire,
      merOrderNo: `model-${++count}`,
      returnUrl: 'https://shop.example/back',
      notifyUrl: 'https://shop.example/notify',
      protestNotifyUrl: '',
      card: method === 'card' ? card : undefined,
      personal: {},
      details: method === 'vn_bank' ? { vaBankId: '970436' } : {},
    })
    const [accepted] = await acceptPayments(gateway.db, [payment])
    if (accepted?.kind === 'refused') throw accepted.refusal
    return payment
  })
  const counted = countedNow(model, shop, { method, amount, currency })
  const refusal = singleRefusal(shop, counted.value) ?? limitRefusal(model, shop, { method, ...counted })
  assert.equal(typeof answer === 'string' ? answer : undefined, refusal, 'the payment is within the limits')
  if (typeof answer === 'string') {
    gateway.count(`payment ${answer}`)
    return undefined
  }
  gateway.payments.set(answer.tradeNo, answer)
  const terms = termsAtAcceptance(model, shop, { method, currency })
  const order: Order = {
    shop,
    tradeNo: answer.tradeNo,
    merOrderNo: answer.merOrderNo,
    currency,
    price: amount,
    ...counted,
    ...terms,
    pageEndsMs: undefined,
    tries: [terms],
    attempt: 'unknown',
    attemptMs: model.nowMs,
    isReviewed: needsReview(shop, method, amount),
    ...unpaid(),
  }
  model.orders.push(order)
  return order
}

/** Reports an outcome to the gateway, to `times` nodes at the same moment. */
export async function report(
  { db, rates, clock, payments }: Gateway,
  { shop, tradeNo, tries }: Order,
  outcome: Outcome,
  { isFirst = false, times = 1, attempt = tries.length } = {},
): Promise<void> {
  const { merNo } = shop
  const method = tries[attempt - 1]?.method ?? 'card'
  const awaitsPayerMinutes = payersTimeMs(method) / 60_000
  const about = { merNo, tradeNo, attemptNo: attempt, outcome, at: clock.now(), awaitsPayerMinutes }
  const payment = payments.get(tradeNo)
  const told = isFirst && payment !== undefined ? aSuccess(payment, about) : about
  await Promise.all(Array.from({ length: times }, () => recordOutcomes({ db, rates }, [told])))
}

export const charged = ({ tradeNo, price, currency }: Order, attempt: number): Outcome => {
  return { kind: 'succeeded', money: { amount: price, currency }, channelRef: `c-${tradeNo}-${attempt}` }
}

export const declined: Outcome = { kind: 'failed', cause: 'declined', message: 'Card declined' }
export const cancelled: Outcome = { kind: 'failed', cause: 'cancelled', message: 'The payer went away' }

/** Every method that is not paid by transfer, with each of its currencies. */
const ways = methodNames
  .filter((method) => !isByTransfer(method))
  .flatMap((method) =>
    everyCurrency.filter((one) => takes(method, one)).map((currency) => ({ method, currency })),
  )

export const pay = operation({
  name: 'pay',
  weight: 14,
  input: fc.record({
    shop: fc.nat(3),
    way: fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(...currencies).map((currency) => ({ method: 'card' as Method, currency })),
      },
      { weight: 1, arbitrary: fc.constantFrom(...ways) },
    ),
    cents,
    answer: fc.oneof(
      { weight: 7, arbitrary: fc.constant('charged' as const) },
      { weight: 2, arbitrary: fc.constantFrom('declined' as const, 'silent' as const, 'challenge' as const) },
    ),
  }),
  async run(model, gateway, { shop, way, cents, answer }) {
    const order = await acceptOrder(model, gateway, { shop: mustPick(model.shops, shop), ...way, cents })
    if (order === undefined) return
    const action = { kind: 'redirect', url: 'https://bank.example/' } as const
    const pending: Outcome = { kind: 'pending', channelRef: `c-${order.tradeNo}-1`, action }
    const outcomes = { charged: charged(order, 1), declined, silent, challenge: pending }
    await report(gateway, order, outcomes[answer], { isFirst: true })
    gateway.count(`paid by ${way.method}`)
    if (answer === 'charged') succeed(model, order)
    if (answer === 'declined') declineAttempt(model, order)
    if (answer === 'challenge') order.attempt = 'pending'
  },
})

/** Orders whose latest attempt is undecided and not paid by transfer. */
const openCharges = ({ orders }: Model) => orders.filter((one) => !isByTransfer(one.method) && isBusy(one))

/** Reports a later answer about an undecided attempt, as a query, a callback or a finished challenge does. */
export const resolve = operation({
  name: 'resolve',
  weight: 6,
  input: fc.record({
    order: fc.nat(),
    answer: fc.constantFrom('charged', 'charged', 'declined', 'cancelled', 'silent'),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  isPossible: (model) => openCharges(model).length > 0,
  async run(model, gateway, { order: at, answer, times }) {
    const order = mustPick(openCharges(model), at)
    const outcomes: Readonly<Record<string, Outcome>> = { declined, cancelled, silent }
    await report(gateway, order, outcomes[answer] ?? charged(order, order.tries.length), { times })
    if (answer === 'charged') succeed(model, order)
    if (answer === 'declined') declineAttempt(model, order)
    if (answer === 'cancelled') cancelAttempt(model, order)
    if (answer === 'silent') hearNothing(order)
  },
})

/** Failed attempts that are not paid by transfer. The channel may still report each of them as charged. */
const failedAttempts = ({ orders }: Model) =>
  orders
    .flatMap((order) => order.tries.map(({ method }, at) => ({ order, method, attempt: at + 1 })))
    .filter(
      ({ order, method, attempt }) =>
        !isByTransfer(method) && attempt !== order.paidBy && !isUnderWay(order, attempt),
    )

const isUnderWay = (order: Order, attempt: number) => attempt === order.tries.length && isBusy(order)

/** A channel reports a failed attempt as charged. The late money counts only once, even if the report is repeated. */
export const chargeLate = operation({
  name: 'chargeLate',
  weight: 2,
  input: fc.record({ attempt: fc.nat(), times: fc.integer({ min: 1, max: 3 }) }),
  isPossible: (model) => failedAttempts(model).length > 0,
  async run(model, gateway, { attempt: at, times }) {
    const { order, attempt } = mustPick(failedAttempts(model), at)
    await report(gateway, order, charged(order, attempt), { times, attempt })
    if (order.chargedLate.includes(attempt)) return
    receive(model, order, { amount: order.price, currency: order.currency, attempt })
    order.chargedLate.push(attempt)
  },
})
