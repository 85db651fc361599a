// Payment links, and the page where the payer of a link tries to pay, cancels, or lets the time pass.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { findPayment } from '../../src/money/order-queries/find-payment.ts'
import { findLink } from '../../src/money/payment-links/find-link.ts'
import { makeLink as make, switchLink as switchTo } from '../../src/money/payment-links/make-link.ts'
import { type Ordered, orderByLink } from '../../src/money/payment-links/order-by-link.ts'
import { cancelPayment } from '../../src/money/payments/cancel-payment.ts'
import { startAttempt } from '../../src/money/payments/hosted/start-attempt.ts'
import { closeExpired } from '../../src/money/payments/hosted/worker.ts'
import type { Outcome } from '../../src/rails/contract/channel.ts'
import { type Gateway, silent } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import {
  beginAttempt,
  cancelAttempt,
  closePages,
  declineAttempt,
  hearNothing,
  leavePage,
  mayBegin,
  mayTryAgain,
  PAGE_MS,
  refusalOfMethod,
  openLink as ruleOfOpening,
} from '../rules/attempts.ts'
import { succeed } from '../rules/deposits.ts'
import type { Link, Model, Order } from '../rules/facts.ts'
import { countedNow, limitRefusal, singleRefusal } from '../rules/limits.ts'
import { isByTransfer, type Method, methodNames, takes } from '../rules/methods.ts'
import { currencies } from '../rules/money.ts'
import { needsReview, termsAtAcceptance, unpaid } from '../rules/orders.ts'
import { cents, priced } from './amounts.ts'
import { cancelled, charged, declined } from './pay.ts'

export const makeLink = operation({
  name: 'makeLink',
  weight: 2,
  input: fc.record({
    shop: fc.nat(3),
    currency: fc.constantFrom(...currencies),
    /** Chooses a method of the currency. If undefined, the payer chooses. */
    method: fc.option(fc.nat(), { nil: undefined }),
    uses: fc.constantFrom('one' as const, 'one' as const, 'many' as const),
    endsInHours: fc.constantFrom(undefined, undefined, 30),
  }),
  async run(model, gateway, { shop: at, currency, method: wish, uses, endsInHours }) {
    const shop = mustPick(model.shops, at)
    const method = wish === undefined ? undefined : methodFor(currency, wish)
    const endsMs = endsInHours === undefined ? undefined : model.nowMs + endsInHours * 3_600_000
    const wanted = {
      merNo: shop.merNo,
      title: 'Lamp',
      currency,
      // The payer enters the amount. The link has no bounds, because only the page, which the model does not use,
      // checks them.
      amount: undefined,
      least: undefined,
      most: undefined,
      method,
      uses,
      expiresAt: endsMs === undefined ? undefined : new Date(endsMs),
      language: '',
      reference: '',
      notifyUrl: '',
      createdBy: 'owner@shop.example',
      createdAt: gateway.clock.now(),
    }
    const { linkId } = await make(gateway.db, wanted, async () => {})
    model.links.push({ shop, linkId, currency, method, uses, endsMs, isOff: false, orders: [] })
  },
})

/** Returns `card` for two of three numbers, and otherwise any method that takes the currency. */
function methodFor(currency: string, at: number): Method {
  const able = methodNames.filter((method) => takes(method, currency))
  return at % 3 > 0 ? 'card' : mustPick(able, Math.floor(at / 3))
}

const links = ({ links }: Model) => links

/** One to three payers open the link at the same moment. */
export const openLink = operation({
  name: 'openLink',
  weight: 7,
  input: fc.record({ link: fc.nat(), cents, times: fc.integer({ min: 1, max: 3 }) }),
  isPossible: (model) => links(model).length > 0,
  async run(model, gateway, { link: at, cents, times }) {
    const link = mustPick(links(model), at)
    const { amount } = priced(link.currency, cents)
    const found = await findLink(gateway.db, link.linkId)
    assert.ok(found)
    const open = () => orderByLink(gateway, gateway.merchantOf(link.shop), found, amount)
    const answers = await Promise.all(Array.from({ length: times }, open))
    // The gateway may accept any of the payers, who all want the same amount. So the accepted answers are checked
    // before the refusals.
    for (const ordered of answers.toSorted((one) => (one.kind === 'order' ? -1 : 1))) {
      const tradeNo = ordered.kind === 'order' ? ordered.tradeNo : undefined
      const known = link.orders.find((one) => one.tradeNo === tradeNo)
      const expected = expectedOf(model, link, amount)
      gateway.count(`link ${typeof expected === 'string' ? expected : 'claimed'}`)
      if (expected === 'new' && tradeNo !== undefined && known === undefined)
        await takeOrder(model, gateway, { link, tradeNo, price: amount })
      else
        assert.equal(known ?? answerOf(ordered), expected, 'the link leads to the order that the rules say')
    }
    link.orders.sort((one, other) => (one.tradeNo < other.tradeNo ? -1 : 1))
  },
})

function answerOf(ordered: Ordered): string {
  return ordered.kind === 'refused' ? ordered.refusal.code : ordered.kind
}

/**
 * Returns the order to which the rules lead the payer, `new`, `ended`, or the code of a refusal. An amount above the
 * limit of a single payment is refused even if the link already leads to an order.
 */
function expectedOf(model: Model, link: Link, amount: bigint): Order | string {
  const { shop, currency, method = 'checkout' } = link
  const counted = countedNow(model, shop, { method, amount, currency })
  const refusal = singleRefusal(shop, counted.value)
  if (refusal !== undefined) return refusal
  const leadsTo = ruleOfOpening(model, link)
  return leadsTo === 'new' ? (limitRefusal(model, shop, { method, ...counted }) ?? 'new') : leadsTo
}

async function takeOrder(
  model: Model,
  { db }: Gateway,
  { link, tradeNo, price }: { link: Link; tradeNo: string; price: bigint },
): Promise<void> {
  const { shop, currency, method = 'checkout' } = link
  const payment = await findPayment(db, { merNo: shop.merNo, tradeNo })
  assert.ok(payment)
  const order: Order = {
    shop,
    tradeNo,
    merOrderNo: payment.merOrderNo,
    currency,
    price,
    ...countedNow(model, shop, { method, amount: price, currency }),
    ...termsAtAcceptance(model, shop, { method, currency }),
    pageEndsMs: model.nowMs + PAGE_MS,
    tries: [],
    attempt: 'none',
    attemptMs: 0,
    isReviewed: needsReview(shop, method, price),
    ...unpaid(),
  }
  model.orders.push(order)
  link.orders.push(order)
}

export const switchLink = operation({
  name: 'switchLink',
  weight: 1,
  input: fc.record({ link: fc.nat() }),
  isPossible: (model) => links(model).length > 0,
  async run(model, { db }, { link: at }) {
    const link = mustPick(links(model), at)
    const key = { merNo: link.shop.merNo, linkId: link.linkId }
    await db.transaction((tx) => switchTo(tx, key, link.isOff ? 'active' : 'off'))
    link.isOff = !link.isOff
  },
})

const onPage = ({ orders }: Model) =>
  orders.filter(({ standing, pageEndsMs }) => standing === 'open' && pageEndsMs !== undefined)

const action = { kind: 'redirect', url: 'https://bank.example/' } as const

const transfer = { kind: 'transfer', account: '1', accountKind: 'iban', payee: 'Shop' } as const

/** The payer's form is sent once or twice at the same moment. At most one attempt begins. */
export const tryToPay = operation({
  name: 'tryToPay',
  weight: 12,
  input: fc.record({
    order: fc.nat(),
    method: fc.nat(),
    answer: fc.constantFrom('charged', 'charged', 'charged', 'declined', 'declined', 'challenge', 'silent'),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  isPossible: (model) => onPage(model).length > 0,
  async run(model, gateway, { order: at, method: wish, answer: said, times }) {
    const order = mustPick(onPage(model), at)
    const { shop, tradeNo, tries, currency } = order
    const link = model.links.find(({ orders }) => orders.includes(order))
    const method = link?.method ?? methodFor(currency, wish)
    const byTransfer = isByTransfer(method)
    const answer = byTransfer && said === 'charged' ? 'challenge' : said
    const channelRef = `c-${tradeNo}-${tries.length + 1}`
    const pending: Outcome = { kind: 'pending', channelRef, action: byTransfer ? transfer : action }
    const outcomes: Readonly<Record<string, Outcome>> = { declined, silent, challenge: pending }
    gateway.says.start = outcomes[answer] ?? charged(order, tries.length + 1)
    const card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2039', securityCode: '123' }
    const form = {
      merNo: shop.merNo,
      tradeNo,
      attempts: tries.length,
      method,
      ...(method === 'card' && { card }),
      terminals: ['WEB'] as const,
      details: method === 'vn_bank' ? { vaBankId: '970436' } : {},
      personal: {},
      completeUrl: 'https://pay.example/pay/token/complete',
    }
    const send = () => startAttempt(gateway, gateway.merchantOf(shop), form)
    const kinds = (await Promise.all(Array.from({ length: times }, send))).map((one) =>
      one.kind === 'refused' ? one.refusal.code : one.kind,
    )
    const begins = mayBegin(model, order)
    const refusal = begins ? refusalOfMethod(model, order, method) : undefined
    const expected = kinds.map((_, at) => (begins && at === 0 ? 'started' : 'stale'))
    assert.deepEqual(
      kinds.sort().reverse(),
      refusal === undefined ? expected.sort().reverse() : kinds.map(() => refusal),
      'one form begins an attempt',
    )
    gateway.count(`attempt ${begins ? (refusal ?? answer) : 'refused'}`)
    if (!begins || refusal !== undefined) return
    beginAttempt(model, order, method)
    if (answer === 'charged') succeed(model, order)
    if (answer === 'declined') declineAttempt(model, order)
    if (answer === 'challenge') order.attempt = 'pending'
  },
})

/** The payer cancels the order, or only the attempt. The channel of a pending attempt is asked to cancel it. */
export const leave = operation({
  name: 'leave',
  weight: 3,
  input: fc.record({
    order: fc.nat(),
    what: fc.constantFrom('order' as const, 'attempt' as const),
    answer: fc.constantFrom('cancelled', 'cancelled', 'charged', 'silent'),
  }),
  isPossible: (model) => onPage(model).length > 0,
  async run(model, gateway, { order: at, what, answer }) {
    const order = mustPick(onPage(model), at)
    const outcomes: Readonly<Record<string, Outcome>> = { cancelled, silent }
    gateway.says.cancel = outcomes[answer] ?? charged(order, order.tries.length)
    await cancelPayment(gateway, { merNo: order.shop.merNo, tradeNo: order.tradeNo }, what)
    if (what === 'attempt' && !mayTryAgain(order)) return
    if (order.attempt === 'pending') {
      if (answer === 'charged') succeed(model, order)
      else if (answer === 'cancelled') cancelAttempt(model, order, { wantsAnother: what === 'attempt' })
      else hearNothing(order)
    }
    if (what === 'order') leavePage(order)
  },
})

/** The background work that cancels orders whose time on our page is over. */
export const closeUnpaid = operation({
  name: 'closeUnpaid',
  weight: 3,
  input: fc.record({}),
  isPossible: (model) => onPage(model).length > 0,
  async run(model, gateway) {
    await closeExpired(gateway)
    closePages(model)
  },
})
