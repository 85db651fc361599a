import cardValidator from 'card-validator'

// Brands are told apart by the first digits alone. The library compares with every pattern it knows, which at thousands
// of payments a second is worth remembering; eight digits are what may be kept of a number.
const PREFIX_LENGTH = 8
const MAX_KNOWN = 10_000
const known = new Map<string, string>()

/** `visa`, `mastercard`, …; `unknown` for a number of no brand that we know. */
export function brandOf(number: string): string {
  const prefix = number.slice(0, PREFIX_LENGTH)
  const remembered = known.get(prefix)
  if (remembered !== undefined) return remembered
  const brand = cardValidator.number(number).card?.type ?? 'unknown'
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(prefix, brand)
  return brand
}
