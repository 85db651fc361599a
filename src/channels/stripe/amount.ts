// Stripe's minor units, which are not always those of ISO 4217.
import { decimalsOf, isFiat } from '../../base/currency.ts'
import type { Money } from '../../base/money.ts'

const withoutDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** Stripe wants the last digit to be 0. */
const withThreeDecimals = 'BHD JOD KWD OMR TND'.split(' ')

function stripeDecimals(currency: string): number {
  if (withoutDecimals.includes(currency)) return 0
  return withThreeDecimals.includes(currency) ? 3 : 2
}

/** Undefined when Stripe cannot express the amount. */
export function toStripeAmount({ amount, currency }: Money): string | undefined {
  const scaled = rescale(amount, decimalsOf(currency), stripeDecimals(currency))
  const isRounded = !withThreeDecimals.includes(currency) || amount % 10n === 0n
  return isRounded ? scaled?.toString() : undefined
}

/** Undefined when it is malformed, or a fraction of our minor unit. */
export function fromStripeAmount(value: unknown, code: unknown): Money | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return undefined
  const currency = typeof code === 'string' ? code.toUpperCase() : ''
  if (!isFiat(currency)) return undefined
  const amount = rescale(BigInt(value), stripeDecimals(currency), decimalsOf(currency))
  return amount === undefined ? undefined : { amount, currency }
}

function rescale(amount: bigint, from: number, to: number): bigint | undefined {
  if (to >= from) return amount * 10n ** BigInt(to - from)
  const divisor = 10n ** BigInt(from - to)
  return amount % divisor === 0n ? amount / divisor : undefined
}
