import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chargesNow, chargesOf } from './fees.ts'

test('fees, margin and remainder add up to the amount for any terms', () => {
  const bps = fc.integer({ min: 0, max: 10_000 })
  const minor = fc.bigInt({ min: 0n, max: 10n ** 12n })
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 14n }),
      bps,
      bps,
      minor,
      (amount, feeBps, marginBps, feeFixed) => {
        const terms = {
          feeBps,
          feeFixed,
          marginBps,
          marginDays: 1,
          settleDays: 1,
          settleCurrency: 'USD',
          settleRate: undefined,
        }
        const { handlingFee, processingFee, margin, remainder } = chargesOf(
          { amount, currency: 'USD' },
          terms,
        )
        assert.equal(handlingFee + processingFee + margin + remainder, amount)
      },
    ),
  )
})

test('the rate of the success counts, unless there is none or the amount at that rate cannot be booked', () => {
  const accepted = { digits: 2n, scale: 0 }
  const terms = {
    feeBps: 0,
    feeFixed: 0n,
    marginBps: 0,
    marginDays: 1,
    settleDays: 1,
    settleCurrency: 'EUR',
    settleRate: accepted,
  }
  const settled = (current: typeof accepted | undefined) =>
    chargesNow({ amount: 1_000n, currency: 'USD' }, terms, { find: () => current }).settleAmount
  assert.equal(settled({ digits: 3n, scale: 0 }), 3_000n)
  assert.equal(settled(undefined), 2_000n)
  assert.equal(settled({ digits: 10n ** 30n, scale: 0 }), 2_000n)
})
