// Operators decide the outcomes of card payments, refunds and payouts if the channel or the rail does not report them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decideOutcome } from '../../src/money/decisions/decide-outcome.ts'
import { didIt } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import { cancelAttempt, declineAttempt, mayDecideAttempt } from '../rules/attempts.ts'
import { succeed } from '../rules/deposits.ts'
import type { Model, Order, Payout } from '../rules/facts.ts'
import { mayDecideOutcome } from '../rules/payouts.ts'
import { failRefund } from '../rules/refunds.ts'

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

const openCards = ({ orders }: Model) =>
  orders.filter(
    ({ method, attempt }) => method === 'card' && (attempt === 'unknown' || attempt === 'pending'),
  )
const sending = ({ payouts }: Model) => payouts.filter(({ state }) => state === 'sending')

function endByHand(model: Model, one: Order | Payout, as: 'succeeded' | 'failed'): void {
  if (!('attempt' in one)) one.state = as
  else if (as === 'succeeded') succeed(model, one)
  else if (one.attempt === 'pending') cancelAttempt(one)
  else declineAttempt(one)
}

/** One or two operators decide at the same moment, and may disagree. Only one decision counts. */
export const decideUnknown = operation({
  name: 'decideUnknown',
  weight: 3,
  input: fc.record({
    which: fc.nat(),
    words: fc.array(fc.constantFrom('succeeded' as const, 'failed' as const), { minLength: 1, maxLength: 2 }),
  }),
  isPossible: (model) => openCards(model).length + sending(model).length > 0,
  async run(model, gateway, { which, words }) {
    const one = mustPick([...openCards(model), ...sending(model)], which)
    const mayDecide = 'attempt' in one ? mayDecideAttempt(model, one) : mayDecideOutcome(model, one)
    const deps = { ...gateway, secondPersonAbove: 10n ** 15n }
    const actor = { kind: 'user', name: 'judge@operator.example' } as const
    const { tradeNo } = one
    const decide = (as: 'succeeded' | 'failed') =>
      didIt(decideOutcome(deps, { tradeNo, as, reason: 'by the model', actor }))
    const done = await Promise.all(words.map(decide))
    assert.equal(done.filter(Boolean).length, mayDecide ? 1 : 0, 'one decision counts, if it is time')
    gateway.count(
      `outcome of a ${'attempt' in one ? 'payment' : 'payout'} ${mayDecide ? 'decided' : 'refused'}`,
    )
    const taken = words[done.indexOf(true)]
    if (taken !== undefined) endByHand(model, one, taken)
  },
})
