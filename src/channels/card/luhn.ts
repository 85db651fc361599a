import luhn10 from 'card-validator/dist/luhn-10.js'

/** The Luhn check of a card number, without the slower detection of its brand. */
export function hasValidCheckDigit(number: string): boolean {
  return luhn10(number)
}
