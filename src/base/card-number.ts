// What a card number says by itself: the check digit (Luhn) and the brand.
import cardValidator from 'card-validator'
import luhn10 from 'card-validator/dist/luhn-10.js'
import { memoize } from './memoize.ts'

/** The Luhn check of a card number, without the slower detection of its brand. */
export function hasValidCheckDigit(number: string): boolean {
  return luhn10(number)
}

// The first digits determine the brand. The library tries every pattern, which is too slow for thousands of payments a
// second, so results are cached by the first eight digits. More of a card number must not be stored.
const PREFIX_LENGTH = 8
const MAX_KNOWN = 10_000

/** `visa`, `mastercard`, …, or `unknown`. */
export function brandOf(number: string): string {
  return brandByPrefix(number.slice(0, PREFIX_LENGTH))
}

const AMEX = 'american-express'

/** Length of the security code: four digits for American Express, three for all others. */
export function securityCodeDigits(number: string): 3 | 4 {
  return brandOf(number) === AMEX ? 4 : 3
}

const brandByPrefix = memoize(MAX_KNOWN, (prefix) => cardValidator.number(prefix).card?.type ?? 'unknown')
