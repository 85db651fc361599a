// Refunds: in part, in full, of too much, and repeated. Refunds are approved or rejected. Sent refunds succeed, fail,
// or are returned: in full, in part, with a surplus, or in another currency.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { applyRefund as applyAt } from '../../src/money/refunds/apply-refund.ts'
import { openRefundBatches } from '../../src/money/refunds/batches.ts'
import { recordRefunds } from '../../src/money/refunds/record-refunds.ts'
import { wireAmount } from '../../src/platform/base/money.ts'
import type { RefundOutcome } from '../../src/rails/contract/channel.ts'
import { approve, reject } from '../../test/builders/refunds.ts'
import { codeOf, didIt, type Gateway } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import type { Model, Order, Refund } from '../rules/facts.ts'
import { isWireAmount } from '../rules/money.ts'
import { moneyOf, stateOf } from '../rules/orders.ts'
import { applyRefund, failRefund, newRefund, returnRefund } from '../rules/refunds.ts'
import { holdReturned } from '../rules/returns.ts'
import { share, shareOf, toWire } from './amounts.ts'

let count = 0

const candidates = ({ orders }: Model) => {
  const paid = orders.filter(({ money }) => money !== undefined)
  return paid.length > 0 ? paid : orders
}

const refundsOf = ({ orders }: Model) => orders.flatMap(({ refunds }) => refunds)

export const refund = operation({
  name: 'refund',
  weight: 14,
  input: fc.record({
    order: fc.nat(),
    share,
    how: fc.constantFrom('part', 'part', 'part', 'all', 'too much'),
    number: fc.constantFrom('new', 'new', 'new', 'new', 'used', 'none'),
    given: fc.boolean(),
  }),
  isPossible: ({ orders }) => orders.length > 0,
  async run(model, gateway, { order: at, share, how, number, given }) {
    const order = mustPick(candidates(model), at)
    const paid = order.money?.amount ?? order.price
    const { currency } = order
    const part = toWire(shareOf(paid, share), currency)
    const amount = how === 'all' ? paid : how === 'too much' ? paid + toWire(1n, currency) : part
    const used = refundsOf(model).filter(
      (one) => one.order.shop === order.shop && one.merRefundNo !== undefined,
    )
    const known = number === 'used' && used.length > 0 ? mustPick(used, at) : undefined
    const merRefundNo = number === 'none' ? undefined : (known?.merRefundNo ?? `model-${++count}`)
    const wanted = { amount, merRefundNo, remark: '' }
    const answer = await apply(gateway, order, wanted)
    const expected = refusedOrMade(model, order, wanted, { given, refundNo: answer.refundNo })
    assert.deepEqual(answer, expected, 'the refund is accepted or refused as the rules say')
    gateway.count(`refund ${answer.code}`)
  },
})

type Wanted = { readonly amount: bigint; readonly merRefundNo: string | undefined; readonly remark: string }
type Answer = { readonly code: string; readonly refundNo: string }

async function apply(gateway: Gateway, order: Order, { amount, ...rest }: Wanted): Promise<Answer> {
  const { db, rates, clock, channels } = gateway
  const { shop, tradeNo, merOrderNo, currency } = order
  const refundBatches = openRefundBatches({ db, rates }, 1_000, () => {})
  const deps = { db, clock, channels, refundBatches, poke: () => {} }
  const wanted = { ...rest, tradeNo, merOrderNo, notifyUrl: '', isReplayProof: true }
  const made = { ...wanted, amount: wireAmount({ amount, currency }) }
  const refund = await codeOf(() => applyAt(deps, gateway.merchantOf(shop), made))
  return typeof refund === 'string'
    ? { code: refund, refundNo: '' }
    : { code: '00000', refundNo: refund.refundNo }
}

function refusedOrMade(
  model: Model,
  order: Order,
  wanted: Wanted,
  { given, refundNo }: { given: boolean; refundNo: string },
): Answer {
  if (!isWireAmount(wanted.amount, order.currency)) return { code: '99997', refundNo: '' }
  const made = applyRefund(model, newRefund(model, { ...wanted, order, given, refundNo }))
  return typeof made === 'string' ? { code: made, refundNo: '' } : { code: '00000', refundNo: made.refundNo }
}

async function tell(
  gateway: Gateway,
  refunds: readonly Refund[],
  outcomeOf: (refund: Refund) => RefundOutcome,
) {
  const at = gateway.clock.now()
  const reports = refunds.map((one) => {
    const { merNo } = one.order.shop
    return { merNo, refundNo: one.refundNo, tradeNo: one.order.tradeNo, outcome: outcomeOf(one), at }
  })
  return recordRefunds(gateway.db, reports)
}

const underWay = (model: Model) =>
  refundsOf(model).filter(({ state }) => ['calling', 'pending', 'unknown'].includes(state))

const moneyOfRefund = ({ amount, order: { currency } }: Refund) => ({ amount, currency })

/** Several nodes receive the channel's outcome of one refund, or of all open refunds of an order. */
export const endRefund = operation({
  name: 'endRefund',
  weight: 10,
  input: fc.record({ refund: fc.nat(), times: fc.integer({ min: 1, max: 3 }), all: fc.boolean() }),
  isPossible: (model) => underWay(model).length > 0,
  async run(model, gateway, { refund: at, times, all }) {
    const one = mustPick(underWay(model), at)
    const some = all ? underWay(model).filter(({ order }) => order === one.order) : [one]
    const outcomeOf = (refund: Refund): RefundOutcome =>
      refund.given
        ? { kind: 'succeeded', money: moneyOfRefund(refund), channelRef: 're_1' }
        : { kind: 'failed', cause: 'declined', message: 'The bank refused' }
    await Promise.all(Array.from({ length: times }, () => tell(gateway, some, outcomeOf)))
    for (const refund of some) {
      if (refund.given) refund.state = 'succeeded'
      else failRefund(refund)
    }
  },
})

/** The channel answers that it has accepted the refund, or does not answer. */
export const delayRefund = operation({
  name: 'delayRefund',
  weight: 2,
  input: fc.record({ refund: fc.nat(), as: fc.constantFrom('pending' as const, 'unknown' as const) }),
  isPossible: (model) => underWay(model).length > 0,
  async run(model, gateway, { refund: at, as }) {
    const one = mustPick(underWay(model), at)
    const outcome: RefundOutcome =
      as === 'pending' ? { kind: 'pending', channelRef: 're_1' } : { kind: 'unknown', why: 'no answer' }
    await tell(gateway, [one], () => outcome)
    // A refund that the channel has accepted stays pending when a later query gets no response.
    if (as === 'pending' || one.state !== 'pending') one.state = as
  },
})

const mayReturn = (model: Model) =>
  refundsOf(model).filter(({ state }) => ['succeeded', 'calling', 'pending', 'unknown'].includes(state))

/** The payer's bank sends the money back, perhaps before the channel reported the success. */
export const returnedRefund = operation({
  name: 'returnedRefund',
  weight: 4,
  input: fc.record({
    refund: fc.nat(),
    arrives: fc.constantFrom('all', 'all', 'short', 'over', 'other currency', 'unsaid'),
    share,
    times: fc.integer({ min: 1, max: 2 }),
  }),
  isPossible: (model) => mayReturn(model).length > 0,
  async run(model, gateway, { refund: at, arrives, share, times }) {
    const one = mustPick(mayReturn(model), at)
    const { amount, currency } = moneyOfRefund(one)
    const money =
      arrives === 'short'
        ? { amount: shareOf(amount, share), currency }
        : arrives === 'over'
          ? { amount: amount + shareOf(amount, share), currency }
          : arrives === 'other currency'
            ? { amount: shareOf(amount, share), currency: currency === 'EUR' ? 'USD' : 'EUR' }
            : { amount, currency }
    const outcome: RefundOutcome = {
      kind: 'returned',
      message: 'The account is closed',
      money: arrives === 'unsaid' ? undefined : money,
    }
    for (let told = 0; told < times; told++) await tell(gateway, [one], () => outcome)
    returnRefund(one, money.currency === currency ? money.amount : 0n)
    holdReturned(model, { merNo: one.order.shop.merNo, channel: one.order.method, amount, currency }, money)
  },
})

const waiting = (model: Model) => refundsOf(model).filter(({ state }) => state === 'waiting')

/** One or two operators decide at the same moment, and may disagree. Only one valid decision counts. */
export const decideRefund = operation({
  name: 'decideRefund',
  weight: 6,
  input: fc.record({ refund: fc.nat(), words: fc.array(fc.boolean(), { minLength: 1, maxLength: 2 }) }),
  isPossible: (model) => waiting(model).length > 0,
  async run(model, gateway, { refund: at, words }) {
    const one = mustPick(waiting(model), at)
    const { db, channels, clock } = gateway
    const yes = () => approve(db, one.refundNo, { channels, at: clock.now() })
    const no = () => reject(db, one.refundNo, 'no', clock.now())
    const done = await Promise.all(words.map((word) => didIt(word ? yes() : no())))
    // While the order has an open or lost chargeback, a refund can be rejected but not approved.
    const mayApprove = [5, 9, 10].includes(stateOf(one.order)) && moneyOf(one.order).amount >= one.amount
    const isValid = (word: boolean | undefined) => word === false || mayApprove
    assert.equal(done.filter(Boolean).length, words.some(isValid) ? 1 : 0, 'one valid decision counts')
    const taken = words[done.indexOf(true)]
    if (taken === true) one.state = 'calling'
    if (taken === false) failRefund(one)
  },
})
