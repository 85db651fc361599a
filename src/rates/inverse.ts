/** Places that a stored rate has. */
export const PLACES = 12
const MAX_UNIT_DIGITS = 12

/** One over the rate, rounded down to the places of a rate; undefined when that is too large to be stored. */
export function inverseDown(rate: string): string | undefined {
  const [units = '', fraction = ''] = rate.split('.')
  const digits = 10n ** BigInt(PLACES + fraction.length) / BigInt(units + fraction)
  const text = digits.toString().padStart(PLACES + 1, '0')
  if (digits === 0n || text.length > PLACES + MAX_UNIT_DIGITS) return undefined
  return `${text.slice(0, -PLACES)}.${text.slice(-PLACES)}`
}
