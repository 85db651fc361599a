// Reads the parts of a wallet token. Each function throws when a part is missing or malformed.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { type Fields, isObject } from '../../base/object.ts'
import type { DeviceCard } from './opened-token.ts'

/** Merchants send the token as JSON or as base64 of the JSON. */
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

/** Strict: Buffer.from ignores other characters, so that two texts would be one token. */
export function base64In(fields: Fields, name: string): Buffer {
  const text = textIn(fields, name)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, ''))
    throw new Error(`${name} is not base64`)
  return bytes
}

/** Milliseconds since 1970, as digits. */
export function timeIn(fields: Fields, name: string): Date {
  const text = textIn(fields, name)
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${name} is not a time`)
  return new Date(Number(text))
}

const POINT_BYTES = 65

/** An uncompressed point on P-256. */
export function publicKeyOfPoint(point: Buffer): KeyObject {
  if (point.length !== POINT_BYTES || point[0] !== 4) throw new Error('not an uncompressed point')
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
}

/** A P-256 public key in X.509 form. */
export function publicKeyOfSpki(spki: Buffer): KeyObject {
  return onP256(createPublicKey({ key: spki, format: 'der', type: 'spki' }))
}

/** A P-256 private key as PEM, or as base64 of PKCS #8. */
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
