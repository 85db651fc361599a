// Card numbers: the check digit (Luhn), the brand, and the masked form that is all we store.
import cardValidator from 'card-validator'
import luhn10 from 'card-validator/dist/luhn-10.js'
import { type BinTable, noBins } from './bin-table.ts'
import { memoize } from './memoize.ts'
import type { Vault } from './secret.ts'

/** Of a card, no other data is stored. */
export type MaskedCard = {
  readonly first6: string
  readonly last4: string
  readonly brand: string
  readonly fingerprint: string
  /** Where it was issued, if the table of BINs knows; not stored. */
  readonly country?: string | undefined
}

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

/** Keeps the first six and last four digits to show, and a fingerprint that recognises the same card. */
export function maskCard(vault: Vault, number: string, bins: BinTable = noBins): MaskedCard {
  const bin = bins.find(number)
  return {
    first6: number.slice(0, 6),
    last4: number.slice(-4),
    brand: bin?.brand ?? brandOf(number),
    fingerprint: vault.fingerprint(number),
    country: bin?.country,
  }
}
