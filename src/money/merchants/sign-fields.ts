// Signs responses, notifications and the data with which a payer returns to the merchant. The signed string begins with
// the event's name, so a signature for one purpose is never valid for another purpose. Merchants with an RSA key get
// RSA signatures made with the platform's key. All other merchants get MD5 signatures.
import { constants, type KeyObject, sign as signAsync } from 'node:crypto'
import { promisify } from 'node:util'
import { md5 } from '../../platform/base/secret.ts'
import { assert } from '../../platform/errors/catalogue.ts'
import { type Merchant, signingKey } from './merchant.ts'

export type SignedEvent = 'payment' | 'payout' | 'review' | 'refund' | 'chargeback' | 'return' | 'answer'

export type Signer =
  | { readonly kind: 'md5'; readonly key: string }
  | { readonly kind: 'rsa'; readonly key: KeyObject }

export function signerFor(merchant: Merchant, platformKey: KeyObject): Signer {
  if (merchant.rsaKey !== undefined) return { kind: 'rsa', key: platformKey }
  const key = signingKey(merchant)
  assert(key !== undefined, 'an active merchant has a key')
  return { kind: 'md5', key: key.key }
}

/** Signs the fields. An RSA signature comes as a promise, because it is computed outside the event loop. */
export function signFields(
  event: SignedEvent,
  fields: Readonly<Record<string, unknown>>,
  signer: Signer,
): string | Promise<string> {
  const text = `event=${event}&${canonicalString(fields)}`
  return signer.kind === 'md5' ? md5(text + signer.key) : signRsa(text, signer.key)
}

const signInPool = promisify(signAsync)

// Signing with a private key takes most of a millisecond, which is too long for the event loop.
async function signRsa(text: string, key: KeyObject): Promise<string> {
  const padding = constants.RSA_PKCS1_PADDING
  return (await signInPool('sha256', Buffer.from(text), { key, padding })).toString('base64')
}

/** Thrown if a number is not a safe integer. Only safe integers have the same JSON form in every language. */
export class NotSignable extends Error {
  constructor() {
    super('signed numbers must be integers within ±2^53')
    this.name = 'NotSignable'
  }
}

/** Writes `name=value` for each top-level field with a value except the signature, joined with `&`, sorted by name. */
export function canonicalString(fields: Readonly<Record<string, unknown>>): string {
  let text = ''
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name]
    if (isSigned(name, value)) text += `&${name}=${written(value)}`
  }
  return text.slice(1)
}

/** True for every field with a value, except the signature itself, which may be spelt `sign` or `sing`. */
export function isSigned(name: string, value: unknown): boolean {
  return name !== 'sign' && name !== 'sing' && value !== undefined && value !== null && value !== ''
}

/** Writes a value in the form that is signed. Throws NotSignable for a number that is not a safe integer. */
export function written(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value)
}

/** Writes JSON with the keys sorted at every level and no white space. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) return canonicalObject(value)
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new NotSignable()
  return JSON.stringify(value)
}

function canonicalObject(object: object): string {
  const members = Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${canonicalJson(value)}`).join(',')}}`
}
