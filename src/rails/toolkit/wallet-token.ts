// Tokens of Apple Pay and Google Pay. A token is opened here, or passed on unopened if only the acquirer has the key.
//
// Invariant: an error while a token is read makes the token invalid. `verifyToken` never throws.
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Money } from '../../platform/base/money.ts'
import { type Fields, isObject } from '../../platform/base/object.ts'

/** The card inside a token. It is in memory only for the call that charges it, and is never stored or logged. */
export type DeviceCard = {
  readonly number: string
  /** The month in two digits. */
  readonly expiryMonth: string
  /** The year in four digits. */
  readonly expiryYear: string
  /** The proof that the device made this payment; unset for a card that is stored in the wallet account. */
  readonly cryptogram?: string
  readonly eci?: string
}

/** A token that only the acquirer can open. Like a card, it is never stored or logged. */
export type SealedCard = { readonly token: string }

export const ANY_MERCHANT = 0

export type OpenedToken = {
  readonly kind: 'opened'
  readonly tokenId: string
  /** The merchant that the token names, or ANY_MERCHANT if it names none. The token is single-use in both cases. */
  readonly merNo: number | typeof ANY_MERCHANT
  readonly card: DeviceCard | SealedCard
}

export type VerifiedToken = OpenedToken | { readonly kind: 'bad'; readonly message: string }

/** The payment that a token must belong to. */
export type TokenUse = { readonly merNo: number; readonly money: Money }

export type OpenToken = (text: string, use: TokenUse) => Promise<VerifiedToken>

/** The refusal of a token, with a message for the merchant and the payer. */
export class BadToken extends Error {}

export async function verifyToken(wallet: string, open: () => Promise<OpenedToken>): Promise<VerifiedToken> {
  try {
    return await open()
  } catch (error) {
    const message = error instanceof BadToken ? error.message : `The ${wallet} token is not valid`
    return { kind: 'bad', message }
  }
}

// The parts of a token. Each function that reads a part throws if the part is missing or malformed.

/** Reads the fields of a token, which merchants send as JSON or as base64 of the JSON. */
export function parseToken(text: string): Fields {
  const json = text.trimStart().startsWith('{') ? text : Buffer.from(text, 'base64').toString('utf8')
  return parseFields(json)
}

export function parseFields(json: string): Fields {
  return objectIn({ value: JSON.parse(json) }, 'value')
}

export function objectIn(fields: Fields, name: string): Fields {
  const value = fields[name]
  if (!isObject(value)) throw new Error(`${name} is missing`)
  return value
}

export function textIn(fields: Fields, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw new Error(`${name} is missing`)
  return value
}

/** Reads strict base64. Buffer.from ignores other characters, so without this check two texts could be one token. */
export function base64In(fields: Fields, name: string): Buffer {
  const text = textIn(fields, name)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, ''))
    throw new Error(`${name} is not base64`)
  return bytes
}

/** Reads a time, written as the digits of milliseconds since 1970. */
export function timeIn(fields: Fields, name: string): Date {
  const text = textIn(fields, name)
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${name} is not a time`)
  return new Date(Number(text))
}

const POINT_BYTES = 65

/** Returns the public key of an uncompressed point on P-256. */
export function publicKeyOfPoint(point: Buffer): KeyObject {
  if (point.length !== POINT_BYTES || point[0] !== 4) throw new Error('not an uncompressed point')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
}

/** Reads a P-256 public key in X.509 form (SPKI, DER). */
export function publicKeyOfSpki(spki: Buffer): KeyObject {
  return onP256(createPublicKey({ key: spki, format: 'der', type: 'spki' }))
}

/** Reads a P-256 private key from PEM, or from base64 of PKCS #8. */
export function privateKeyOf(text: string): KeyObject {
  if (text.includes('-----BEGIN')) return onP256(createPrivateKey(text))
  return onP256(createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }))
}

function onP256(key: KeyObject): KeyObject {
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('not a P-256 key')
  return key
}

export function checkedCard(card: DeviceCard): DeviceCard {
  const isCard =
    /^\d{12,19}$/.test(card.number) &&
    /^(0[1-9]|1[0-2])$/.test(card.expiryMonth) &&
    /^20\d\d$/.test(card.expiryYear)
  if (!isCard) throw new Error('the token contains no valid card')
  return card
}

/**
 * Returns Apple's `paymentData` as JSON; undefined if the text is no token. Merchants send the `paymentData` alone, or
 * Apple's whole token with the `paymentData` in it.
 */
export function applePayData(text: string): string | undefined {
  const token = parsed(text)
  if (token === undefined) return undefined
  return JSON.stringify(isObject(token.paymentData) ? token.paymentData : token)
}

/**
 * Returns Google's token as JSON; undefined if the text is no token. Google signed parts of the JSON text, so the JSON
 * is returned as Google wrote it.
 */
export function googlePayToken(text: string): string | undefined {
  if (parsed(text) === undefined) return undefined
  const trimmed = text.trim()
  return trimmed.startsWith('{') ? trimmed : Buffer.from(text, 'base64').toString('utf8')
}

/** Returns an id of the token that does not depend on how the merchant encoded or indented the token. */
export function tokenIdOf(token: string): string {
  return createHash('sha256')
    .update(JSON.stringify(parseToken(token)))
    .digest('hex')
}

function parsed(text: string) {
  try {
    return parseToken(text)
  } catch {
    return undefined
  }
}
