import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chargesOf } from './fees.ts'

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
