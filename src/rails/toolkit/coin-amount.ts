// Converts between the order's currency and the coin. The amount to pay is rounded up and received amounts are rounded down,
// so the shop never gets less than the order and never more than was sent. A payout is rounded down: it never sends more coin
// than its amount is worth.
import { decimalsOf } from '../../base/currency.ts'
import type { Money, Rate } from '../../base/money.ts'
import type { CoinDecimals } from './coin.ts'

/** In the coin's smallest unit. `price` is the price of one coin in the order's currency. */
export function coinUnitsUp(money: Money, { chain, shown }: CoinDecimals, price: Rate): bigint {
  const numerator = money.amount * 10n ** BigInt(shown + price.scale)
  const denominator = price.digits * 10n ** BigInt(decimalsOf(money.currency))
  const rounded = (numerator + denominator - 1n) / denominator
  return rounded * 10n ** BigInt(chain - shown)
}

/** For a payout, in the coin's smallest unit. */
export function coinUnitsDown(money: Money, { chain }: CoinDecimals, price: Rate): bigint {
  const numerator = money.amount * 10n ** BigInt(chain + price.scale)
  return numerator / (price.digits * 10n ** BigInt(decimalsOf(money.currency)))
}

/** The amount as a payer types it. */
export function formatCoin(units: bigint, { chain, shown }: CoinDecimals): string {
  const digits = (units / 10n ** BigInt(chain - shown)).toString().padStart(shown + 1, '0')
  return `${digits.slice(0, -shown)}.${digits.slice(-shown)}`
}

/**
 * The value of each transfer in the order's currency, in proportion to the requested units. Computed on the running sum, so
 * that transfers of all the units add up to the full amount.
 */
export function worthDown(units: readonly bigint[], asked: { units: bigint; money: Money }): bigint[] {
  let sum = 0n
  return units.map((part) => {
    const before = (sum * asked.money.amount) / asked.units
    sum += part
    return (sum * asked.money.amount) / asked.units - before
  })
}
