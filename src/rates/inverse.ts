/** Decimals of a stored rate. */
export const PLACES = 12
const MAX_UNIT_DIGITS = 12

/** 1/rate, rounded down to the decimals of a stored rate; undefined when it is too large to store. */
export function inverseDown(rate: string): string | undefined {
  const [units = '', fraction = ''] = rate.split('.')
  const digits = 10n ** BigInt(PLACES + fraction.length) / BigInt(units + fraction)
  const text = digits.toString().padStart(PLACES + 1, '0')
  if (digits === 0n || text.length > PLACES + MAX_UNIT_DIGITS) return undefined
  return `${text.slice(0, -PLACES)}.${text.slice(-PLACES)}`
}
