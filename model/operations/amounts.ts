// Random amounts: mostly small, some large, and some of a few cents.
import fc from 'fast-check'
import { unitOf } from '../rules/money.ts'

export const cents = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 30_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) },
  { weight: 1, arbitrary: fc.integer({ min: 30_000, max: 3_000_000 }) },
)

/** A share of an amount, in thousandths. */
export const share = fc.integer({ min: 1, max: 1_000 })

export const shareOf = (amount: bigint, thousandths: number) => {
  const part = (amount * BigInt(thousandths)) / 1_000n
  return part > 0n ? part : 1n
}

/** Rounds up to an amount that requests can state, because their amounts have two decimals. */
export function toWire(amount: bigint, currency: string): bigint {
  const step = unitOf(currency) > 100n ? unitOf(currency) / 100n : 1n
  return ((amount + step - 1n) / step) * step
}

/**
 * Returns an amount of `many` hundredths of the currency, times 100 for JPY and times 20,000 for VND: as requests write
 * it, and in smallest units. Amounts in JPY and VND are rounded to whole units.
 */
export function priced(currency: string, many: number): { readonly wire: string; readonly amount: bigint } {
  const scale = currency === 'VND' ? 20_000n : currency === 'JPY' ? 100n : 1n
  const hundredths = BigInt(many) * scale
  const whole = unitOf(currency) === 1n ? (hundredths / 100n || 1n) * 100n : hundredths
  const wire = `${whole / 100n}.${String(whole % 100n).padStart(2, '0')}`
  return { wire, amount: (whole * unitOf(currency)) / 100n }
}
