// From the order's money to the coin and back, exactly. The payer is asked for the amount rounded up, so the shop never
// gets less; what came is counted rounded down, so it never gets what was not sent.
import { decimalsOf } from '../../base/currency.ts'
import type { Money, Rate } from '../../base/money.ts'
import { type Coin, chainDecimals } from './coin.ts'

/** Wallets show so many, and people copy what they see. */
const shownDecimals: Readonly<Record<Coin, number>> = { USDT: 6, USDC: 6, ETH: 8 }

/** In the coin's smallest unit. `price` is what one whole coin costs in the money's currency. */
export function coinUnitsUp(money: Money, coin: Coin, price: Rate): bigint {
  const shown = shownDecimals[coin]
  const numerator = money.amount * 10n ** BigInt(shown + price.scale)
  const denominator = price.digits * 10n ** BigInt(decimalsOf(money.currency))
  const rounded = (numerator + denominator - 1n) / denominator
  return rounded * 10n ** BigInt(chainDecimals[coin] - shown)
}

/** As a payer types it: no more decimals than the rounding left. */
export function formatCoin(units: bigint, coin: Coin): string {
  const shown = shownDecimals[coin]
  const digits = (units / 10n ** BigInt(chainDecimals[coin] - shown)).toString().padStart(shown + 1, '0')
  return `${digits.slice(0, -shown)}.${digits.slice(-shown)}`
}

/**
 * What each of several transfers is worth in the order's money, in proportion to the units that were asked for. Reckoned
 * on the running sum: parts that add up to all the units add up to all the money.
 */
export function worthDown(units: readonly bigint[], asked: { units: bigint; money: Money }): bigint[] {
  let sum = 0n
  return units.map((part) => {
    const before = (sum * asked.money.amount) / asked.units
    sum += part
    return (sum * asked.money.amount) / asked.units - before
  })
}
