// What we sign: answers, notifications and returns. The event's name opens the string, so that no string signed for one
// purpose equals one signed for another. A merchant with an RSA key gets RSA by the platform's key, all others MD5.
import { constants, hash, type KeyObject, sign as signAsync } from 'node:crypto'
import { promisify } from 'node:util'
import { assert } from '../errors/catalogue.ts'
import { type Merchant, signingKey } from './merchant.ts'

export type SignedEvent = 'payment' | 'payout' | 'review' | 'refund' | 'chargeback' | 'return' | 'answer'

export type Signer =
  | { readonly kind: 'md5'; readonly key: string }
  | { readonly kind: 'rsa'; readonly key: KeyObject }

export function signerFor(merchant: Merchant, platformKey: KeyObject): Signer {
  if (merchant.rsaKey !== undefined) return { kind: 'rsa', key: platformKey }
  const key = signingKey(merchant)
  assert(key !== undefined, 'a merchant that is served has a key')
  return { kind: 'md5', key: key.key }
}

/** Only RSA takes so long that it is waited for. */
export function signFields(
  event: SignedEvent,
  fields: Readonly<Record<string, unknown>>,
  signer: Signer,
): string | Promise<string> {
  const text = `event=${event}&${canonicalString(fields)}`
  return signer.kind === 'md5' ? md5(text + signer.key) : signRsa(text, signer.key)
}

export function md5(text: string): string {
  return hash('md5', text, 'hex').toUpperCase()
}

const signInPool = promisify(signAsync)

// A private key operation takes most of a millisecond: not on the event loop.
async function signRsa(text: string, key: KeyObject): Promise<string> {
  const padding = constants.RSA_PKCS1_PADDING
  return (await signInPool('sha256', Buffer.from(text), { key, padding })).toString('base64')
}

/** Only integers that every reader of JSON reads alike have one way to be written. */
export class NotSignable extends Error {
  constructor() {
    super('numbers in what is signed must be integers within 2^53')
    this.name = 'NotSignable'
  }
}

/** Every top-level field but the signature that has a value, sorted by name, `name=value` joined with `&`. */
export function canonicalString(fields: Readonly<Record<string, unknown>>): string {
  let text = ''
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name]
    if (isSigned(name, value)) text += `&${name}=${written(value)}`
  }
  return text.slice(1)
}

/** The signature itself is not signed, under either of its spellings, nor is what has no value. */
export function isSigned(name: string, value: unknown): boolean {
  return name !== 'sign' && name !== 'sing' && value !== undefined && value !== null && value !== ''
}

/** Throws NotSignable. */
export function written(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value)
}

/** JSON with the keys sorted at every level and no white space. */
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
