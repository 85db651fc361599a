import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseRate, type Rate } from '../../platform/base/money.ts'
import { coinDecimals } from '../methods/crypto.ts'
import { coinUnitsUp, formatCoin, worthDown } from './coin-amount.ts'

function rate(text: string): Rate {
  const parsed = parseRate(text)
  assert.ok(parsed)
  return parsed
}

describe('the amount of coin', () => {
  const usd = (amount: bigint) => ({ amount, currency: 'USD' })

  it('is exact, and rounded up to the decimals that a wallet shows', () => {
    assert.equal(coinUnitsUp(usd(1_250n), coinDecimals.USDT, rate('1')), 12_500_000n)
    assert.equal(coinUnitsUp(usd(1_000n), coinDecimals.USDC, rate('3')), 3_333_334n)
    assert.equal(coinUnitsUp(usd(1_250n), coinDecimals.ETH, rate('3200')), 3_906_250_000_000_000n)
    assert.equal(coinUnitsUp(usd(1n), coinDecimals.ETH, rate('3000')), 3_340_000_000_000n)
    assert.equal(coinUnitsUp({ amount: 154n, currency: 'JPY' }, coinDecimals.USDT, rate('154')), 1_000_000n)
    assert.equal(formatCoin(12_500_000n, coinDecimals.USDT), '12.500000')
    assert.equal(formatCoin(3_906_250_000_000_000n, coinDecimals.ETH), '0.00390625')
  })

  it('is never worth less than the money, and at most one displayed unit more', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 11n), fc.integer({ min: 1, max: 10 ** 9 }), (amount, cents) => {
        const price = { digits: BigInt(cents), scale: 2 }
        const units = coinUnitsUp(usd(amount), coinDecimals.USDT, price)
        assert.ok(units * price.digits >= amount * 10n ** 6n)
        assert.ok((units - 1n) * price.digits < amount * 10n ** 6n)
      }),
    )
  })

  it('in several transfers is worth the full amount once it is complete, and never more before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt(1n, 10n ** 12n), { minLength: 1, maxLength: 6 }),
        fc.bigInt(1n, 10n ** 9n),
        (parts, amount) => {
          const units = parts.reduce((sum, part) => sum + part, 0n)
          const worth = worthDown(parts, { units, money: usd(amount) })
          assert.equal(
            worth.reduce((sum, part) => sum + part, 0n),
            amount,
          )
          const short = worthDown(parts.slice(0, -1), { units, money: usd(amount) })
          assert.deepEqual(short, worth.slice(0, -1), 'earlier transfers keep their value')
        },
      ),
    )
  })
})
