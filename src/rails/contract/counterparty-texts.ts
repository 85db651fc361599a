// Masks texts of counterparties before they are stored, shown or logged, and describes faults in their messages. Some
// counterparties send the request back with the card in it, so everything that may be a secret is masked.
import { isFiat } from '../../platform/base/currency.ts'
import type { Fields } from '../../platform/base/object.ts'

const MAX_REASON = 255

/**
 * Numbers of 13 digits or more, with the separators that people use: card numbers, but also account numbers. The match
 * includes digits after a card number, which may be its security code.
 */
const NUMBERS = /\d(?:(?:[\s._+\u2010-\u2015-]|%20){0,3}\d){12,}/g
/** Exactly one number, without separators or in the digit groups of a card. */
const ONE_NUMBER = /^(?:\d{13,19}|\d{4}([ .-])\d{4}\1\d{4}\1\d{4}|\d{4}([ .-])\d{6}\2\d{5})$/
/** The name of a secret with its value: in JSON, in JSON inside a JSON text, in a form or in a sentence. */
const NAMED =
  /((?:security[-_ ]?code|cvc2?|cvv2?|cryptogram|token|(?:private|api|secret)[-_ ]?key|secret|password)\b(?:%5D|\])?["'\\]*(?:\s+(?:code|value|number|is)){0,2}(?:\s*[:=>]\s*["'\\]*|\s+(?=\S*\d)))[^\s"'\\,;&{}<]+/gi
/** 64 hex digits, the form of a private key of a chain. */
const HEX_KEYS = /(?:0x)?[0-9a-f]{64}/gi
const MASK = '***'

/**
 * Returns the counterparty's own reason with secrets masked. Returns the fallback if the reason is missing or too long.
 */
export function theirReason(reason: unknown, fallback: string): string {
  const text = typeof reason === 'string' ? withoutCards(reason) : ''
  return text === '' || text.length > MAX_REASON ? fallback : text
}

/** Describes a response for operators: its status and, if there is one, the counterparty's own code. */
export function responded(who: string, status: number, code: unknown): string {
  return [`${who} responded ${status}`, theirReason(code, '')].filter((text) => text !== '').join(' ')
}

/**
 * Masks long numbers and named secrets. A single number keeps its last four digits, so that a card can be recognised.
 */
export function withoutCards(text: string): string {
  const named = text.replace(NAMED, `$1${MASK}`)
  return named.replace(NUMBERS, (number) => `${MASK}${ONE_NUMBER.test(number) ? number.slice(-4) : ''}`)
}

/**
 * Masks only the known keys. Long numbers stay readable, because an amount of coin may have as many digits as a card
 * number.
 */
export function withoutKeys(text: string, known: readonly string[] = []): string {
  const forms = known.flatMap((key) => [key, encodeURIComponent(key)])
  return forms.reduce((rest, key) => rest.replaceAll(key, MASK), text)
}

/** Masks everything that may be a private key. Transaction hashes are masked, too, because they look the same. */
export function withoutHexKeys(text: string): string {
  return text.replace(HEX_KEYS, MASK)
}

const MAX_SHOWN = 60

/** Describes a wrong field in a message of our own protocol, for the developers of a bridge. */
export function fieldFault(name: string, value: unknown, expected: string): string {
  if (value === undefined) return `"${name}" is missing; expected is ${expected}`
  const came = withoutCards(JSON.stringify(value) ?? 'no JSON')
  return `"${name}" is ${came.slice(0, MAX_SHOWN).toWellFormed()}, not ${expected}`
}

export function isAmount(value: unknown): value is string {
  return typeof value === 'string' && /^[1-9]\d{0,17}$/.test(value)
}

/** Describes a wrong amount or currency. Undefined if both are right. With `isSigned`, the amount may be negative. */
export function moneyFault({ amount, currency }: Fields, isSigned = false): string | undefined {
  const size = isSigned && typeof amount === 'string' ? amount.replace(/^-/, '') : amount
  if (!isAmount(size)) return fieldFault('amount', amount, 'digits in the minor unit as text, such as "1250"')
  const isCurrency = typeof currency === 'string' && isFiat(currency)
  return isCurrency ? undefined : fieldFault('currency', currency, 'a currency of ISO 4217, such as "USD"')
}

/** Describes an outcome for an alarm: its kind and, if there is one, the counterparty's own reason. */
export function inTheirWords(outcome: { readonly kind: string; readonly message?: string }): string {
  const { kind, message = '' } = outcome
  return message === '' ? kind : `${kind}: ${message}`
}
