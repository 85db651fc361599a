// Corrections of balances, booked at once or after a second person has approved them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { decideApproval } from '../../src/money/approvals/decide-approval.ts'
import { correctBalance, correctionCarrying } from '../../src/money/decisions/correct-balance.ts'
import { anOperator } from '../../test/builders/builders.ts'
import { didIt } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import type { Model } from '../rules/facts.ts'
import { currencies } from '../rules/money.ts'
import { cents, priced } from './amounts.ts'

const asker = { kind: 'user', name: 'asker@operator.example' } as const
const ALONE = 10n ** 15n
const accounts = [
  'merchant:available',
  'platform:fees',
  'platform:exchange',
  'rail:card',
  'merchant:unsettled',
]

export const correct = operation({
  name: 'correct',
  weight: 2,
  input: fc.record({
    shop: fc.nat(3),
    from: fc.constantFrom(...accounts),
    to: fc.constantFrom(...accounts),
    currency: fc.constantFrom(...currencies),
    cents,
    alone: fc.boolean(),
  }),
  async run(model, gateway, { shop, from, to, currency, cents, alone }) {
    const { merNo } = mustPick(model.shops, shop)
    const { amount } = priced(currency, cents)
    // -1 instead of 0, because the smallest amounts are worth 0 cents and must also need a second person.
    const deps = { ...gateway, secondPersonAbove: alone ? ALONE : -1n }
    const wanted = { merNo, from, to, money: { amount, currency }, reason: 'by the model', actor: asker }
    let approvalId: string | undefined
    const done = await didIt(
      correctBalance(deps, wanted).then((corrected) => {
        approvalId = corrected.approvalId
      }),
    )
    // The unsettled balance is the sum of the unsettled orders, so corrections of it are refused.
    assert.equal(done, from !== to && from !== 'merchant:unsettled' && to !== 'merchant:unsettled')
    const correction = { merNo, from, to, currency, amount }
    if (!done) return
    assert.equal(approvalId === undefined, alone, 'a second person is asked')
    if (approvalId === undefined) model.corrections.push(correction)
    else
      model.approvals.push({
        approvalId,
        askedAtMs: model.nowMs,
        about: { kind: 'correction', correction },
        state: 'waiting',
      })
  },
})

const waiting = ({ approvals }: Model) =>
  approvals.flatMap((approval) => {
    const { about, state } = approval
    return state === 'waiting' && about.kind === 'correction' ? [{ approval, about }] : []
  })
const WEEK_MS = 7 * 24 * 3_600_000

/** One or two people decide at once. The person who asked may only reject. After a week, nobody may approve. */
export const decideCorrection = operation({
  name: 'decideCorrection',
  weight: 2,
  input: fc.record({
    approval: fc.nat(),
    words: fc.array(fc.boolean(), { minLength: 1, maxLength: 2 }),
    by: fc.constantFrom('another', 'another', 'asker'),
  }),
  isPossible: (model) => waiting(model).length > 0,
  async run(model, gateway, { approval: at, words, by }) {
    const { approval: one, about } = mustPick(waiting(model), at)
    const person = by === 'asker' ? anOperator(asker) : anOperator()
    const deps = { ...gateway, carrying: { correction: correctionCarrying } }
    const { approvalId } = one
    const decide = (approves: boolean) =>
      didIt(decideApproval(deps, { approvalId, by: person, approves, reason: 'by the model' }))
    const done = await Promise.all(words.map(decide))
    const mayApprove = by === 'another' && model.nowMs < one.askedAtMs + WEEK_MS
    const counts = words.some((word) => !word || mayApprove)
    assert.equal(done.filter(Boolean).length, counts ? 1 : 0, 'one valid decision counts')
    const taken = words[done.indexOf(true)]
    if (taken === undefined) return
    one.state = taken ? 'approved' : 'rejected'
    if (taken) model.corrections.push(about.correction)
  },
})
