// Adyen's amounts: whole minor units, with Adyen's own number of decimals. For some currencies it is not that of ISO 4217.
import { decimalsOf, isFiat } from '../../base/currency.ts'
import type { Money } from '../../base/money.ts'
import { type Fields, isObject } from '../../base/object.ts'

const unlikeIso: ReadonlyMap<string, number> = new Map([
  ['CLP', 2],
  ['ISK', 2],
  ['CVE', 0],
  ['IDR', 0],
])

/** Undefined when Adyen cannot express it: it has no hundredths of a rupiah. */
export function toAmount({ amount, currency }: Money): Fields | undefined {
  const value = rescale(amount, decimalsOf(currency), adyenDecimals(currency))
  if (value === undefined || value > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return { currency, value: Number(value) }
}

/** Undefined when it is malformed, or when we cannot express it. */
export function fromAmount(field: unknown): Money | undefined {
  const { value, currency } = isObject(field) ? field : {}
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return undefined
  if (typeof currency !== 'string' || !isFiat(currency)) return undefined
  const amount = rescale(BigInt(value), adyenDecimals(currency), decimalsOf(currency))
  return amount === undefined ? undefined : { amount, currency }
}

function adyenDecimals(currency: string): number {
  return unlikeIso.get(currency) ?? decimalsOf(currency)
}

function rescale(value: bigint, from: number, to: number): bigint | undefined {
  if (to >= from) return value * 10n ** BigInt(to - from)
  const divisor = 10n ** BigInt(from - to)
  return value % divisor === 0n ? value / divisor : undefined
}
