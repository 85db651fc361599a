// Reviews of SEPA payments. Operators pick payments, ask the merchant, and approve or reject. The channel or an
// operator returns the money of a rejected payment.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  approveReview as approve,
  askReview,
  pickReview,
  rejectReview as reject,
} from '../../src/money/reviews/decide-review.ts'
import { recordReturn } from '../../src/money/reviews/record-return.ts'
import { submitReview } from '../../src/money/reviews/submit-review.ts'
import type { RefundOutcome } from '../../src/rails/contract/channel.ts'
import { didIt } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import type { Model } from '../rules/facts.ts'
import { holdReturned } from '../rules/returns.ts'
import { approveReview, rejectReview, reviewOf } from '../rules/reviews.ts'

const unpaid = ({ orders }: Model) =>
  orders.filter((one) => one.method === 'sepa' && one.standing === 'open' && !one.isReviewed)

/** An operator picks a payment for review before the payer's money has arrived. */
export const pickForReview = operation({
  name: 'pickForReview',
  weight: 1,
  input: fc.record({ order: fc.nat() }),
  isPossible: (model) => unpaid(model).length > 0,
  async run(model, gateway, { order: at }) {
    const order = mustPick(unpaid(model), at)
    await pickReview(gateway, order.tradeNo)
    order.isReviewed = true
  },
})

const inReview = ({ orders }: Model) =>
  orders.filter(({ standing, review }) => standing === 'in review' && review?.state === 'undecided')

/** The merchant answers the operator's question, or an operator asks again after an answer. */
export const talkAboutReview = operation({
  name: 'talkAboutReview',
  weight: 4,
  input: fc.record({ order: fc.nat(), says: fc.constantFrom('answers' as const, 'asks' as const) }),
  isPossible: (model) => inReview(model).length > 0,
  async run(model, gateway, { order: at, says }) {
    const order = mustPick(inReview(model), at)
    const review = reviewOf(order)
    const isTurn = says === 'answers' ? review.information === 'asked' : review.information === 'submitted'
    if (!isTurn) return
    const { tradeNo, shop } = order
    const answer = { merNo: shop.merNo, tradeNo, info: { payerName: 'Example Payer' }, files: [] }
    if (says === 'answers') await submitReview(gateway, answer)
    else await askReview(gateway, tradeNo, 'Please explain')
    review.information = says === 'answers' ? 'submitted' : 'asked'
  },
})

/** One or two operators decide at the same moment, and may disagree. Only one decision counts. */
export const decideReview = operation({
  name: 'decideReview',
  weight: 6,
  input: fc.record({
    order: fc.nat(),
    words: fc.array(fc.constantFrom('approve' as const, 'reject' as const, 'returned' as const), {
      minLength: 1,
      maxLength: 2,
    }),
  }),
  isPossible: (model) => inReview(model).length > 0,
  async run(model, gateway, { order: at, words }) {
    const order = mustPick(inReview(model), at)
    const { tradeNo } = order
    const rejection = (isReturned: boolean) => reject(gateway, tradeNo, { note: 'no', isReturned })
    const decide = (word: 'approve' | 'reject' | 'returned') =>
      didIt(word === 'approve' ? approve(gateway, tradeNo) : rejection(word === 'returned'))
    const done = await Promise.all(words.map(decide))
    assert.equal(done.filter(Boolean).length, 1, 'one decision counts')
    const taken = words[done.indexOf(true)]
    if (taken === 'approve') approveReview(model, order)
    if (taken === 'returned') rejectReview(order)
    if (taken === 'reject') {
      const review = reviewOf(order)
      review.state = 'returning'
      review.returns++
    }
  },
})

const returned = ({ orders }: Model) =>
  orders.filter(
    ({ review }) => review?.state === 'returning' || (review?.state === 'rejected' && review.isByChannel),
  )

/**
 * The channel succeeds or fails to return the money of a rejected payment, or the payer's bank sends the returned money
 * back.
 */
export const endReturn = operation({
  name: 'endReturn',
  weight: 6,
  input: fc.record({
    order: fc.nat(),
    answer: fc.constantFrom('succeeded', 'succeeded', 'failed', 'silent', 'came back'),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  isPossible: (model) => returned(model).length > 0,
  async run(model, gateway, { order: at, answer, times }) {
    const order = mustPick(returned(model), at)
    const { tradeNo, shop, price: amount, currency, method: channel } = order
    const review = reviewOf(order)
    const outcomes: Readonly<Record<string, RefundOutcome>> = {
      succeeded: { kind: 'succeeded', money: { amount, currency }, channelRef: 're_1' },
      failed: { kind: 'failed', cause: 'declined', message: 'The bank refused' },
      'came back': { kind: 'returned', message: 'The account is closed', money: { amount, currency } },
    }
    const outcome = outcomes[answer] ?? { kind: 'unknown', why: 'no answer' }
    const told = { merNo: shop.merNo, tradeNo, returns: review.returns, outcome, at: gateway.clock.now() }
    await Promise.all(Array.from({ length: times }, () => recordReturn(gateway.db, told)))
    if (review.state === 'returning') {
      // The payer does not have the money, so an operator must decide the review again.
      if (answer === 'failed' || answer === 'came back') review.state = 'undecided'
      if (answer !== 'succeeded') return
      rejectReview(order)
      review.isByChannel = true
      return
    }
    if (answer !== 'came back' || review.cameBack) return
    review.cameBack = true
    const nothing = { merNo: shop.merNo, channel, amount: 0n, currency: '' }
    holdReturned(model, nothing, { amount, currency })
  },
})
