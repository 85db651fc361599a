// The money boundary. Inside: integers in the currency's minor unit. On the wire: decimal strings.
// The parser never rounds; every rounding function says its direction in its name.
import { decimalsOf } from './currency.ts'

export type Money = { readonly amount: bigint; readonly currency: string }

/** A conversion rate as an exact fraction: units of `to` for one unit of `from`, times 10^-scale. */
export type Rate = { readonly digits: bigint; readonly scale: number }

const wirePattern = /^(0|[1-9]\d{0,8})\.\d\d$/

/** Reads an amount as the interface writes it. Undefined when it breaks a rule: the caller says which field. */
export function parseAmount(text: string, currency: string): bigint | undefined {
  if (!wirePattern.test(text)) return undefined
  const hundredths = BigInt(text.slice(0, -3) + text.slice(-2))
  if (hundredths === 0n) return undefined
  return rescaleExactly(hundredths, 2, decimalsOf(currency))
}

/** Reads any decimal of a setting (a fee, a limit), exactly; undefined when it does not fit the currency. */
export function parseDecimal(text: string, currency: string): bigint | undefined {
  return readDecimal(text, decimalsOf(currency))
}

/** Reads a decimal of a setting and rounds it half up to the currency's unit: a fee of 0.30 is nothing in yen. */
export function decimalHalfUp(text: string, currency: string): bigint | undefined {
  const exact = readDecimal(text, MOST_PLACES)
  if (exact === undefined) return undefined
  const divisor = tenTo(MOST_PLACES - decimalsOf(currency))
  return (exact * 2n + divisor) / (divisor * 2n)
}

/** A setting has at most so many, more than any currency. */
const MOST_PLACES = 18

function readDecimal(text: string, places: number): bigint | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,18}))?$/.exec(text)
  if (match === null) return undefined
  const [, units = '', fraction = ''] = match
  return rescaleExactly(BigInt(units + fraction), fraction.length, places)
}

/** Powers are worked out once: every amount needs some. */
const powersOfTen = Array.from({ length: 64 }, (_, exponent) => 10n ** BigInt(exponent))

function tenTo(exponent: number): bigint {
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent)
}

function rescaleExactly(value: bigint, from: number, to: number): bigint | undefined {
  if (to >= from) return value * tenTo(to - from)
  const divisor = tenTo(from - to)
  return value % divisor === 0n ? value / divisor : undefined
}

/** Prints with two decimals at least, and with as many as the currency has beyond that. */
export function formatAmount(amount: bigint, currency: string): string {
  const decimals = decimalsOf(currency)
  const shown = Math.max(decimals, 2)
  const scaled = (amount < 0n ? -amount : amount) * tenTo(shown - decimals)
  const digits = scaled.toString().padStart(shown + 1, '0')
  const sign = amount < 0n ? '-' : ''
  return `${sign}${digits.slice(0, -shown)}.${digits.slice(-shown)}`
}

/** A share in basis points, half up. For amounts of zero and above. */
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

/** The decimal that `parseRate` reads back. */
export function formatRate({ digits, scale }: Rate): string {
  const text = digits.toString().padStart(scale + 1, '0')
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/**
 * Whether one booking may move as much. A hundredth of what 64 bits hold: sums of many fit too, and no amount that the
 * interface can name comes near it unless a rate or a fee was mistyped.
 */
export function isBookable(amount: bigint): boolean {
  return amount <= MOST_BOOKED && amount >= -MOST_BOOKED
}

const MOST_BOOKED = 10n ** 16n

/** Converts down, below zero too: what is credited is no more than it is worth, and what is owed no less. */
export function convertDown(money: Money, to: string, rate: Rate): Money {
  const numerator = money.amount * rate.digits * tenTo(decimalsOf(to))
  const denominator = tenTo(rate.scale + decimalsOf(money.currency))
  const towardsZero = numerator / denominator
  const isAbove = numerator < 0n && towardsZero * denominator !== numerator
  return { amount: isAbove ? towardsZero - 1n : towardsZero, currency: to }
}

/** Converts up, for what is debited. */
export function convertUp({ amount, currency }: Money, to: string, rate: Rate): Money {
  return { amount: -convertDown({ amount: -amount, currency }, to, rate).amount, currency: to }
}
