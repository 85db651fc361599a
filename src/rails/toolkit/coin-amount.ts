// Converts between the order's currency and the coin. The amount to pay is rounded up, so that it is never worth less
// than the order. Received amounts and payouts are rounded down: the merchant is never credited with more than the
// payer sent, and a payout never sends more coin than its amount is worth.
import { decimalsOf } from '../../platform/base/currency.ts'
import type { Money, Rate } from '../../platform/base/money.ts'
import type { CoinDecimals } from '../methods/crypto.ts'

/**
 * Returns the amount to pay, in the coin's smallest unit, rounded up to the decimals that payers see. `price` is the
 * price of a coin in the order's currency.
 */
export function coinUnitsUp(money: Money, { chain, shown }: CoinDecimals, price: Rate): bigint {
  const numerator = money.amount * 10n ** BigInt(shown + price.scale)
  const denominator = price.digits * 10n ** BigInt(decimalsOf(money.currency))
  const rounded = (numerator + denominator - 1n) / denominator
  return rounded * 10n ** BigInt(chain - shown)
}

/** Returns the amount of a payout in the coin's smallest unit. */
export function coinUnitsDown(money: Money, { chain }: CoinDecimals, price: Rate): bigint {
  const numerator = money.amount * 10n ** BigInt(chain + price.scale)
  return numerator / (price.digits * 10n ** BigInt(decimalsOf(money.currency)))
}

/** Formats units of the coin as the decimal amount that a payer types. */
export function formatCoin(units: bigint, { chain, shown }: CoinDecimals): string {
  const digits = (units / 10n ** BigInt(chain - shown)).toString().padStart(shown + 1, '0')
  return `${digits.slice(0, -shown)}.${digits.slice(-shown)}`
}

/**
 * Returns the value of each transfer in the order's currency, in proportion to the requested units. Each value is the
 * difference between two rounded running sums, so the values of transfers that add up to the requested units add up to
 * the full amount.
 */
export function worthDown(units: readonly bigint[], asked: { units: bigint; money: Money }): bigint[] {
  let sum = 0n
  return units.map((part) => {
    const before = (sum * asked.money.amount) / asked.units
    sum += part
    return (sum * asked.money.amount) / asked.units - before
  })
}
