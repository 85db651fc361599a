// Parses requests to the sandbox's counterparties. Every field is checked before it is used. An error names the field,
// but never its value.
import { randomBytes } from 'node:crypto'
import { isFiat } from '../src/platform/base/currency.ts'
import { type Fields, isObject } from '../src/platform/base/object.ts'
import type { Card } from './sandbox-cards.ts'

export type IssuerRequest = { readonly operation: string; readonly body: unknown }
export type IssuerAnswer = { readonly status: number; readonly body: Fields }

export class InvalidRequest extends Error {}

const referencePattern = /^[A-Za-z0-9_-]{1,64}$/

export function fieldsOf(value: unknown): Fields {
  if (!isObject(value)) throw new InvalidRequest('an object is missing')
  return value
}

export function readText(body: Fields, name: string, pattern: RegExp): string {
  const value = body[name]
  if (typeof value !== 'string' || !pattern.test(value))
    throw new InvalidRequest(`${name} is missing or wrong`)
  return value
}

export function readReference(body: Fields, name: 'merchantReference' | 'refundReference'): string {
  return readText(body, name, referencePattern)
}

export function readMoney(body: Fields): { amount: string; currency: string } {
  const currency = readText(body, 'currency', /^[A-Z]{3}$/)
  if (!isFiat(currency)) throw new InvalidRequest('currency is not known')
  return { amount: readText(body, 'amount', /^[1-9]\d{0,14}$/), currency }
}

export function readCard(body: Fields): Card {
  const card = fieldsOf(body.card)
  if (card.token !== undefined) return readTestToken(card)
  checkProof(card)
  return {
    number: readText(card, 'number', /^\d{12,19}$/),
    expiryMonth: Number(readText(card, 'expiryMonth', /^(0[1-9]|1[0-2])$/)),
    expiryYear: Number(readText(card, 'expiryYear', /^\d{4}$/)),
  }
}

/** Reads a wallet token. Real tokens are encrypted. The sandbox's test tokens name a sandbox card in plain text. */
function readTestToken(card: Fields): Card {
  readText(card, 'wallet', /^(apple_pay|google_pay)$/)
  const text = readText(card, 'token', /^\{.{1,20000}$/s)
  let token: unknown
  try {
    token = JSON.parse(text)
  } catch {
    throw new InvalidRequest('token is not JSON')
  }
  return { number: readText(fieldsOf(token), 'testCard', /^\d{12,19}$/), expiryMonth: 12, expiryYear: 2039 }
}

/**
 * Checks the security code. Instead of a code, a wallet sends the device's cryptogram, or nothing for a card that is
 * stored in the wallet account.
 */
function checkProof(card: Fields): void {
  if (card.wallet === undefined) readText(card, 'securityCode', /^\d{3,4}$/)
  else if (card.cryptogram !== undefined) readText(card, 'cryptogram', /^[A-Za-z0-9+/]{16,64}={0,2}$/)
}

/** An http(s) address that is safe as a form's target in the payer's browser. */
export function readAddress(body: Fields, name: string): string {
  return readText(body, name, /^https?:\/\/[^\s"'<>]{1,1000}$/)
}

export function problem(status: number, error: string, message: string): IssuerAnswer {
  return { status, body: { error, message } }
}

const ID_DIGITS = 32
const IDS_DRAWN = 256
let digits = ''
let used = 0

/** Draws random digits for many ids at once, because drawing is the slowest part of a charge. */
export function makeIssuerId(kind: 'ch' | 're'): string {
  if (used === digits.length) {
    digits = randomBytes((IDS_DRAWN * ID_DIGITS) / 2).toString('hex')
    used = 0
  }
  used += ID_DIGITS
  return `${kind}_${digits.slice(used - ID_DIGITS, used)}`
}
