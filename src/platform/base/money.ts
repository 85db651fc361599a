// Money is an integer in the currency's minor unit, and a decimal string on the wire. A function rounds only if its
// name contains the direction, as in `shareHalfUp`. See docs/decisions/0080-rounding.md.
import { decimalsOf } from './currency.ts'

export type Money = { readonly amount: bigint; readonly currency: string }

export function isSameMoney(one: Money, other: Money): boolean {
  return one.amount === other.amount && one.currency === other.currency
}

/** An exact rate: one unit of the source currency is worth digits × 10^-scale units of the target currency. */
export type Rate = { readonly digits: bigint; readonly scale: number }

const wirePattern = /^(0|[1-9]\d{0,8})\.\d\d$/

/** Parses an amount of the merchant API. Undefined if the text is zero or breaks a rule of amounts. */
export function parseAmount(text: string, currency: string): bigint | undefined {
  if (!wirePattern.test(text)) return undefined
  const hundredths = BigInt(text.slice(0, -3) + text.slice(-2))
  if (hundredths === 0n) return undefined
  return rescaleExactly(hundredths, 2, decimalsOf(currency))
}

/**
 * Parses a setting exactly. Undefined for other texts than decimal numbers, and for more decimals than the currency
 * has.
 */
export function parseDecimal(text: string, currency: string): bigint | undefined {
  return readDecimal(text, decimalsOf(currency))
}

/** Parses a setting and rounds it half up to the currency's minor unit: a fee of 0.30 is 0 in yen. */
export function decimalHalfUp(text: string, currency: string): bigint | undefined {
  const exact = readDecimal(text, MAX_DECIMALS)
  if (exact === undefined) return undefined
  const divisor = tenTo(MAX_DECIMALS - decimalsOf(currency))
  return (exact * 2n + divisor) / (divisor * 2n)
}

/** The maximum number of decimals of a setting. Every currency has fewer. */
const MAX_DECIMALS = 18

function readDecimal(text: string, places: number): bigint | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,18}))?$/.exec(text)
  if (match === null) return undefined
  const [, units = '', fraction = ''] = match
  return rescaleExactly(BigInt(units + fraction), fraction.length, places)
}

/** The powers of ten. They are computed once, because every amount needs one. */
const powersOfTen = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent))

function tenTo(exponent: number): bigint {
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent)
}

export function rescaleExactly(value: bigint, from: number, to: number): bigint | undefined {
  if (to >= from) return value * tenTo(to - from)
  const divisor = tenTo(from - to)
  return value % divisor === 0n ? value / divisor : undefined
}

/** Formats an amount with all decimals of the currency, but at least two. */
export function formatAmount(amount: bigint, currency: string): string {
  const decimals = decimalsOf(currency)
  const shown = Math.max(decimals, 2)
  const scaled = (amount < 0n ? -amount : amount) * tenTo(shown - decimals)
  const digits = scaled.toString().padStart(shown + 1, '0')
  const sign = amount < 0n ? '-' : ''
  return `${sign}${digits.slice(0, -shown)}.${digits.slice(-shown)}`
}

/** Formats money for people, such as `12.50 USD`. */
export function formatMoney({ amount, currency }: Money): string {
  return `${formatAmount(amount, currency)} ${currency}`
}

/**
 * Formats an amount as requests of the merchant API contain it: with two decimals, even if the currency has more. If
 * two decimals are too few for the amount, the text has all decimals of the currency, and `parseAmount` refuses it.
 */
export function wireAmount({ amount, currency }: Money): string {
  return formatAmount(amount, currency).replace(/(\.\d\d)0+$/, '$1')
}

/** The share of an amount, rounded half up. `bps` is in basis points. The amount must not be negative. */
export function shareHalfUp(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps) * 2n + 10_000n) / 20_000n
}

export function parseRate(text: string): Rate | undefined {
  const match = /^(\d{1,24})(?:\.(\d{1,24}))?$/.exec(text)
  if (match === null) return undefined
  const [, units = '', fraction = ''] = match
  const digits = BigInt(units + fraction)
  return digits === 0n ? undefined : { digits, scale: fraction.length }
}

export function formatRate({ digits, scale }: Rate): string {
  const text = digits.toString().padStart(scale + 1, '0')
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/**
 * True if one ledger entry may move this amount. The limit is about a thousandth of the range of 64 bits, so that sums
 * fit as well. Only a mistyped rate or fee reaches the limit.
 */
export function isBookable(amount: bigint): boolean {
  return amount <= MAX_ENTRY && amount >= -MAX_ENTRY
}

const MAX_ENTRY = 10n ** 16n

/** Converts, and rounds towards minus infinity: a credit is never too large and a debt is never too small. */
export function convertDown(money: Money, to: string, rate: Rate): Money {
  const numerator = money.amount * rate.digits * tenTo(decimalsOf(to))
  const denominator = tenTo(rate.scale + decimalsOf(money.currency))
  const towardsZero = numerator / denominator
  const isAbove = numerator < 0n && towardsZero * denominator !== numerator
  return { amount: isAbove ? towardsZero - 1n : towardsZero, currency: to }
}

/** Converts a debit, and rounds towards plus infinity. */
export function convertUp({ amount, currency }: Money, to: string, rate: Rate): Money {
  return { amount: -convertDown({ amount: -amount, currency }, to, rate).amount, currency: to }
}
