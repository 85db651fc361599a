// Operators change rates, plans and settlement currencies between other operations. Accepted orders keep their terms.
import fc from 'fast-check'
import { setOptions } from '../../src/money/merchants/change-merchant.ts'
import { readOptions } from '../../src/money/merchants/options.ts'
import { mustPick, operation } from '../operation.ts'
import { currencies } from '../rules/money.ts'
import { findRate } from '../rules/rates.ts'
import { planOptions } from '../shops.ts'

/** The number of decimals with which rates are written. */
const DECIMALS = 12n
const ONE = 10n ** DECIMALS

const written = (scaled: bigint) => `${scaled / ONE}.${String(scaled % ONE).padStart(Number(DECIMALS), '0')}`

/** Changes a rate by up to 10 %. A merchant who converts money there and back loses 3 %. */
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

export const changeTerms = operation({
  name: 'changeTerms',
  weight: 2,
  input: fc.record({
    shop: fc.nat(3),
    plan: fc.record({
      feeBps: fc.constantFrom(0, 87, 290),
      feeFixed: fc.constantFrom('0.00', '0.35', '5.00'),
      refundFee: fc.constantFrom('0.00', '0.25', '1.11'),
      chargebackFee: fc.constantFrom('0.00', '7.77', '20.00'),
      marginBps: fc.constantFrom(0, 333, 2_500),
      marginDays: fc.constantFrom(0, 1, 5),
      settleDays: fc.constantFrom(0, 1, 3),
    }),
    payoutPlan: fc.record({ feeBps: fc.constantFrom(0, 13, 50), feeFixed: fc.constantFrom('0.00', '1.00') }),
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
  },
})
