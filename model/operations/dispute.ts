// Chargebacks that an operator records: full or partial, won or lost.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { openChargeback as open } from '../../src/money/chargebacks/open-chargeback.ts'
import { resolveChargeback as resolve } from '../../src/money/chargebacks/resolve-chargeback.ts'
import { didIt } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import {
  chargebackFeeOf,
  endChargeback,
  mayChargeBack,
  openChargeback,
  openOf,
} from '../rules/chargebacks.ts'
import type { Model } from '../rules/facts.ts'
import { shareOf } from './amounts.ts'

const paid = ({ orders }: Model) => orders.filter(({ money }) => money !== undefined)

export const chargeBack = operation({
  name: 'chargeBack',
  weight: 5,
  input: fc.record({ order: fc.nat(), share: fc.constantFrom(1_000, 1_000, 1, 300, 500, 999, 1_001) }),
  isPossible: (model) => paid(model).length > 0,
  async run(model, gateway, { order: at, share }) {
    const order = mustPick(paid(model), at)
    const { tradeNo, currency } = order
    const whole = order.money?.amount ?? 0n
    const amount = share > 1_000 ? whole + 1n : shareOf(whole, share)
    const wanted = { money: { amount, currency }, reason: '13', at: gateway.clock.now() }
    let chargebackId = ''
    const done = await didIt(
      open(gateway, tradeNo, wanted).then((opened) => {
        chargebackId = opened.chargebackId
      }),
    )
    assert.equal(done, mayChargeBack(order, amount))
    gateway.count(`chargeback ${done ? 'opened' : 'refused'}`)
    const fee = chargebackFeeOf(order)
    const about = { order, chargebackId, disputeRef: undefined, wonByChannel: false }
    if (done) openChargeback(model, { ...about, amount, fee, state: 'open' })
  },
})

const disputed = (model: Model) => paid(model).filter((order) => openOf(order) !== undefined)

/** Operators may record two outcomes at the same moment. Only one outcome counts. */
export const resolveChargeback = operation({
  name: 'resolveChargeback',
  weight: 4,
  input: fc.record({
    order: fc.nat(),
    outcomes: fc.array(fc.constantFrom('won' as const, 'lost' as const), { minLength: 1, maxLength: 2 }),
  }),
  isPossible: (model) => disputed(model).length > 0,
  async run(model, gateway, { order: at, outcomes }) {
    const order = mustPick(disputed(model), at)
    const end = (outcome: 'won' | 'lost') =>
      didIt(resolve(gateway, order.tradeNo, { outcome, at: gateway.clock.now() }))
    const done = await Promise.all(outcomes.map(end))
    assert.equal(done.filter(Boolean).length, 1, 'one outcome counts')
    const outcome = outcomes[done.indexOf(true)]
    const chargeback = openOf(order)
    if (chargeback !== undefined && outcome !== undefined) endChargeback(chargeback, outcome)
  },
})
