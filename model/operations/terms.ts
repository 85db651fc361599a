// Operators change rates, plans, limits and settlement currencies between other operations. Accepted orders keep their
// terms.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  removeMethodPlan as removePlanOf,
  setOptions,
  setMethodPlan as setPlanOf,
} from '../../src/money/merchants/change-merchant.ts'
import { assignPlan, removePlanMethod, setPlan } from '../../src/money/merchants/named-plans.ts'
import { readOptions } from '../../src/money/merchants/options.ts'
import { readPlatformLimits, setPlatformLimits } from '../../src/money/orders/platform-limits.ts'
import { didIt } from '../gateway.ts'
import { mustPick, operation } from '../operation.ts'
import type { Plan } from '../rules/facts.ts'
import type { Method } from '../rules/methods.ts'
import { currencies } from '../rules/money.ts'
import {
  changeNamed,
  follow,
  leaveNamedPlan,
  removeMethodPlan,
  removeNamed,
  setMethodPlan,
  spread,
} from '../rules/plans.ts'
import { findRate } from '../rules/rates.ts'
import { inCents, limitOptions, MOST, planOptions, termTexts } from '../shops.ts'

/** The number of decimals with which rates are written. */
const DECIMALS = 12n
const ONE = 10n ** DECIMALS

const written = (scaled: bigint) => `${scaled / ONE}.${String(scaled % ONE).padStart(Number(DECIMALS), '0')}`

/** Changes a rate by up to 10 %. A merchant who converts money to dollars and back loses 3 %. */
export const setRate = operation({
  name: 'setRate',
  weight: 2,
  input: fc.record({
    currency: fc.constantFrom(...currencies.filter((one) => one !== 'USD')),
    thousandths: fc.integer({ min: 900, max: 1_100 }),
  }),
  async run(model, gateway, { currency, thousandths }) {
    const rate = findRate(model.rates, currency, 'USD')
    if (rate === undefined) throw new Error('every currency of the model has a rate')
    const scaled = (rate.digits * BigInt(thousandths) * ONE) / (1_000n * 10n ** BigInt(rate.scale))
    const toDollar = scaled > 0n ? scaled : 1n
    const back = (ONE * ONE * 97n) / (toDollar * 100n)
    await gateway.setRates([
      { from: currency, to: 'USD', rate: written(toDollar) },
      { from: 'USD', to: currency, rate: written(back) },
    ])
  },
})

const plan = fc.record({
  feeBps: fc.constantFrom(0, 87, 290),
  feeFixed: fc.constantFrom('0.00', '0.35', '5.00'),
  refundFee: fc.constantFrom('0.00', '0.25', '1.11'),
  chargebackFee: fc.constantFrom('0.00', '7.77', '20.00'),
  marginBps: fc.constantFrom(0, 333, 2_500),
  marginDays: fc.constantFrom(0, 1, 5),
  settleDays: fc.constantFrom(0, 1, 3),
})
const payoutPlan = fc.record({
  feeBps: fc.constantFrom(0, 13, 50),
  feeFixed: fc.constantFrom('0.00', '1.00'),
})

export const changeTerms = operation({
  name: 'changeTerms',
  weight: 2,
  input: fc.record({
    shop: fc.nat(3),
    plan,
    payoutPlan,
    settleCurrency: fc.constantFrom(undefined, undefined, 'EUR', 'USD', 'JPY'),
  }),
  async run(model, gateway, { shop: at, plan, payoutPlan, settleCurrency }) {
    const shop = mustPick(model.shops, at)
    const texts = {
      ...planOptions(plan),
      payoutFeeBps: String(payoutPlan.feeBps),
      payoutFeeFixed: payoutPlan.feeFixed,
      ...(settleCurrency !== undefined && { settleCurrency }),
    }
    await setOptions(gateway.db, shop.merNo, readOptions(texts), gateway.clock.now())
    await gateway.reload(shop)
    Object.assign(shop, { plan, payoutPlan, ...(settleCurrency !== undefined && { settleCurrency }) })
    leaveNamedPlan(shop)
  },
})

/** New values for some terms. The other terms stay unchanged. */
const some = fc
  .tuple(plan, fc.subarray(['feeBps', 'refundFee', 'chargebackFee', 'marginBps', 'settleDays']))
  .map(
    ([whole, names]): Partial<Plan> =>
      Object.fromEntries(
        Object.entries(whole).filter(([name]) => name === 'feeFixed' || names.includes(name)),
      ),
  )

/** The methods of most orders. */
const method = fc.constantFrom<Method>('card', 'card', 'sepa', 'sepa', 'pix', 'crypto')

/** A method gets a plan of its own, or loses it. */
export const changeMethodPlan = operation({
  name: 'changeMethodPlan',
  weight: 1,
  input: fc.record({ shop: fc.nat(3), method, change: fc.option(some, { nil: undefined, freq: 3 }) }),
  async run(model, { db, reload }, { shop: at, method, change }) {
    const shop = mustPick(model.shops, at)
    if (change === undefined) {
      const done = await didIt(removePlanOf(db, shop.merNo, method))
      assert.equal(done, removeMethodPlan(shop, method), 'only an own plan can be removed')
      if (done) leaveNamedPlan(shop)
    } else {
      await setPlanOf(db, shop.merNo, method, readOptions(termTexts(change)))
      setMethodPlan(shop, method, change)
      leaveNamedPlan(shop)
    }
    await reload(shop)
  },
})

const names = ['Usual', 'Large'] as const

/**
 * An operator makes a named plan, changes its terms for all methods, for one method or for payouts, or removes its
 * terms for a method or for payouts.
 */
export const changeNamedPlan = operation({
  name: 'changeNamedPlan',
  weight: 1,
  input: fc.record({
    name: fc.constantFrom(...names),
    about: fc.oneof(fc.constantFrom('all' as const, 'all' as const, 'payout' as const), method),
    change: fc.option(some, { nil: undefined, freq: 4 }),
  }),
  async run(model, { db, reload }, { name, about, change }) {
    const named = model.namedPlans.find((one) => one.name === name)
    const done = await didIt(
      change === undefined
        ? removePlanMethod(db, name, about)
        : setPlan(db, { plan: name, method: about, options: readOptions(termTexts(change)) }),
    )
    const expected =
      change === undefined
        ? named !== undefined && removeNamed(named, about)
        : changeNamed(model, { name, about, change })
    assert.equal(done, expected, 'a plan begins with its terms for all methods, which stay')
    const changed = model.namedPlans.find((one) => one.name === name)
    if (done && changed !== undefined) spread(model, changed)
    for (const shop of model.shops) if (shop.follows === name) await reload(shop)
  },
})

/** A merchant begins to follow a named plan, or stops following a plan. */
export const followPlan = operation({
  name: 'followPlan',
  weight: 1,
  input: fc.record({ shop: fc.nat(3), name: fc.constantFrom(...names, ...names, undefined) }),
  isPossible: ({ namedPlans }) => namedPlans.length > 0,
  async run(model, { db, reload }, { shop: at, name }) {
    const shop = mustPick(model.shops, at)
    const named = model.namedPlans.find((one) => one.name === name)
    const done = await didIt(assignPlan(db, shop.merNo, name))
    assert.equal(done, name === undefined || named !== undefined, 'the plan exists')
    if (!done) return
    if (named === undefined) leaveNamedPlan(shop)
    else follow(shop, named)
    await reload(shop)
  },
})

/** Most limits are out of reach, because otherwise most orders would be refused. */
const limit = fc.constantFrom(MOST, MOST, MOST, 20_000n, 100_000n, 1_000_000n)

export const changeLimits = operation({
  name: 'changeLimits',
  weight: 1,
  input: fc.record({
    shop: fc.nat(3),
    single: fc.oneof({ weight: 9, arbitrary: limit }, { weight: 1, arbitrary: fc.constant(undefined) }),
    daily: fc.oneof({ weight: 9, arbitrary: limit }, { weight: 1, arbitrary: fc.constant(undefined) }),
    monthly: fc.constantFrom(MOST, MOST, MOST, 1_000_000n),
  }),
  async run(model, { db, clock, reload }, { shop: at, ...limits }) {
    const shop = mustPick(model.shops, at)
    await setOptions(db, shop.merNo, readOptions(limitOptions(limits)), clock.now())
    await reload(shop)
    shop.limits = limits
  },
})

const CACHED_MS = 3_000

export const limitPlatform = operation({
  name: 'limitPlatform',
  weight: 1,
  input: fc.record({
    method: fc.constantFrom('card', 'card', 'sepa', 'crypto', 'payout'),
    daily: fc.constantFrom(undefined, undefined, 50_000n, 300_000n),
    monthly: fc.constantFrom(undefined, undefined, 500_000n, 3_000_000n),
  }),
  async run(model, { db }, { method, daily, monthly }) {
    const textOf = (most: bigint | undefined) => (most === undefined ? 'none' : inCents(most))
    await setPlatformLimits(
      db,
      readPlatformLimits({ method, daily: textOf(daily), monthly: textOf(monthly) }),
    )
    if (daily === undefined && monthly === undefined) model.platformLimits.delete(method)
    else model.platformLimits.set(method, { daily, monthly })
    // Gateways cache the platform's limits for two seconds.
    model.nowMs += CACHED_MS
  },
})
