// Operators decide the outcomes of payments, refunds and payouts that the channel or the rail does not report.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decideOutcome } from '../../src/money/decisions/decide-outcome.ts'
import { formatAmount } from '../../src/platform/base/money.ts'
import { didIt } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import { cancelAttempt, declineAttempt, mayDecideAttempt } from '../rules/attempts.ts'
import { state, succeed } from '../rules/deposits.ts'
import type { Model, Order, Payout } from '../rules/facts.ts'
import { isByTransfer } from '../rules/methods.ts'
import { isBusy } from '../rules/orders.ts'
import { mayDecideOutcome } from '../rules/payouts.ts'
import { failRefund } from '../rules/refunds.ts'
import { shareOf } from './amounts.ts'

const unknown = ({ orders }: Model) =>
  orders.flatMap(({ refunds }) => refunds).filter(({ state }) => state === 'unknown')

export const decideUnknownRefund = operation({
  name: 'decideUnknownRefund',
  weight: 2,
  input: fc.record({ refund: fc.nat(), as: fc.constantFrom('succeeded' as const, 'failed' as const) }),
  isPossible: (model) => unknown(model).length > 0,
  async run(model, gateway, { refund: at, as }) {
    const one = mustPick(unknown(model), at)
    const { tradeNo } = one.order
    const deps = { ...gateway, secondPersonAbove: 10n ** 15n }
    const actor = { kind: 'user', name: 'judge@operator.example' } as const
    const { refundNo } = one
    const done = await didIt(decideOutcome(deps, { tradeNo, refundNo, as, reason: 'by the model', actor }))
    assert.ok(done, 'an unknown outcome can be decided')
    if (as === 'succeeded') one.state = 'succeeded'
    else failRefund(one)
  },
})

const open = ({ orders }: Model) => orders.filter(isBusy)
const sending = ({ payouts }: Model) => payouts.filter(({ state }) => state === 'sending')

type Word = { readonly as: 'succeeded' | 'failed'; readonly share: number | undefined }

/** The total that an operator states as received for a payment by transfer; undefined for other payments. */
const totalOf = ({ method, price }: Order, { share }: Word) =>
  isByTransfer(method) && share !== undefined ? shareOf(price, share) : undefined

/**
 * Applies an operator's decision to the model. Returns false if the operator states no more money than is already
 * known.
 */
function endByHand(model: Model, one: Order | Payout, word: Word): boolean {
  if (!('attempt' in one)) one.state = word.as
  else if (word.as === 'failed') {
    if (one.attempt === 'pending') cancelAttempt(model, one)
    else declineAttempt(model, one)
  } else if (isByTransfer(one.method)) return state(model, one, totalOf(one, word) ?? 0n)
  else succeed(model, one)
  return true
}

/**
 * Operators decide one after the other, and may disagree. A decision counts only while the outcome is open and
 * operators may decide it.
 */
export const decideUnknown = operation({
  name: 'decideUnknown',
  weight: 3,
  input: fc.record({
    which: fc.nat(),
    words: fc.array(
      fc.record({
        as: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const),
        share: fc.constantFrom(undefined, 300, 600, 1_000, 1_000, 1_300),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  }),
  isPossible: (model) => open(model).length + sending(model).length > 0,
  async run(model, gateway, { which, words }) {
    const one = mustPick([...open(model), ...sending(model)], which)
    const deps = { ...gateway, secondPersonAbove: 10n ** 15n }
    const actor = { kind: 'user', name: 'judge@operator.example' } as const
    const { tradeNo, currency } = one
    for (const word of words) {
      const total = 'attempt' in one ? totalOf(one, word) : undefined
      const amount = total === undefined ? undefined : formatAmount(total, currency)
      const done = await didIt(
        decideOutcome(deps, { tradeNo, as: word.as, amount, reason: 'by the model', actor }),
      )
      const mayDecide =
        'attempt' in one ? isBusy(one) && mayDecideAttempt(model, one) : mayDecideOutcome(model, one)
      const counts = mayDecide && endByHand(model, one, word)
      assert.equal(done, counts, 'an open outcome can be decided once it is time')
      gateway.count(
        `outcome of a ${'attempt' in one ? 'payment' : 'payout'} ${counts ? 'decided' : 'refused'}`,
      )
    }
  },
})

/**
 * Two decisions about the same payout, or the same payment that is no transfer, arrive at the same moment. Exactly one
 * counts, or none if it is too early to decide.
 */
export const decideTogether = operation({
  name: 'decideTogether',
  weight: 1,
  input: fc.record({
    which: fc.nat(),
    words: fc.array(fc.constantFrom('succeeded' as const, 'failed' as const), { minLength: 2, maxLength: 2 }),
  }),
  isPossible: (model) => openCharges(model).length + sending(model).length > 0,
  async run(model, gateway, { which, words }) {
    const one = mustPick([...openCharges(model), ...sending(model)], which)
    const mayDecide = 'attempt' in one ? mayDecideAttempt(model, one) : mayDecideOutcome(model, one)
    const deps = { ...gateway, secondPersonAbove: 10n ** 15n }
    const actor = { kind: 'user', name: 'judge@operator.example' } as const
    const { tradeNo } = one
    const decide = (as: 'succeeded' | 'failed') =>
      didIt(decideOutcome(deps, { tradeNo, as, reason: 'by the model', actor }))
    const done = await Promise.all(words.map(decide))
    assert.equal(done.filter(Boolean).length, mayDecide ? 1 : 0, 'one decision counts, if it is time')
    const taken = words[done.indexOf(true)]
    if (taken !== undefined) endByHand(model, one, { as: taken, share: undefined })
  },
})

const openCharges = (model: Model) => open(model).filter(({ method }) => !isByTransfer(method))
