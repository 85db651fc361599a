import cardValidator from 'card-validator'
import { remember } from '../../base/memoize.ts'

// Brands are told apart by the first digits alone. The library compares with every pattern it knows, which at thousands
// of payments a second is worth remembering; eight digits are what may be kept of a number.
const PREFIX_LENGTH = 8
const MAX_KNOWN = 10_000

/** `visa`, `mastercard`, …; `unknown` for a number of no brand that we know. */
export function brandOf(number: string): string {
  return brandByPrefix(number.slice(0, PREFIX_LENGTH))
}

const AMEX = 'american-express'

/** How many digits the security code has: four on the front of American Express, three on the back of all others. */
export function securityCodeDigits(number: string): 3 | 4 {
  return brandOf(number) === AMEX ? 4 : 3
}

const brandByPrefix = remember(MAX_KNOWN, (prefix) => cardValidator.number(prefix).card?.type ?? 'unknown')
