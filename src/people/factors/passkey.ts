// Verifies the signatures of authenticators (WebAuthn). The make of an authenticator does not matter, so no attestation
// is requested. Browsers return the public key as SubjectPublicKeyInfo, so no CBOR parser is needed.
import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { isEqualSecret } from '../../platform/base/secret.ts'
import { Problem } from '../../platform/errors/problem.ts'

/** The site to which passkeys belong. `rpId` is the host of the origin. */
export type RelyingParty = { readonly rpId: string; readonly origin: string }

/** A passkey's answer to a challenge. Binary fields are in base64url. */
export type PasskeyAnswer = {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

export type NewPasskey = {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly publicKey: string
    readonly transports?: readonly string[]
  }
}

type VerifiedPasskey = {
  readonly passkeyId: string
  readonly publicKey: Buffer
  readonly signCount: number
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const RP_HASH_BYTES = 32
const COUNT_AT = 33
const ID_LENGTH_AT = 53
const ID_AT = 55

/** The COSE numbers of Ed25519, ECDSA with P-256, and RSA. */
export const algorithms: readonly number[] = [-8, -7, -257]

export function verifyNewPasskey(
  { id, response }: NewPasskey,
  challenge: string,
  party: RelyingParty,
): VerifiedPasskey {
  checkClientData(response.clientDataJSON, 'webauthn.create', challenge, party)
  const data = fromBase64(response.authenticatorData)
  const signCount = checkAuthenticatorData(data, party)
  const idLength = data.length > ID_AT ? data.readUInt16BE(ID_LENGTH_AT) : 0
  if (data.subarray(ID_AT, ID_AT + idLength).toString('base64url') !== id) refuse()
  const publicKey = fromBase64(response.publicKey)
  readKey(publicKey)
  return { passkeyId: id, publicKey, signCount }
}

/** Verifies a passkey's answer. Returns the authenticator's new signature counter. */
export function verifyPasskey(
  { response }: PasskeyAnswer,
  challenge: string,
  party: RelyingParty,
  stored: { readonly publicKey: Buffer; readonly signCount: number },
): number {
  checkClientData(response.clientDataJSON, 'webauthn.get', challenge, party)
  const data = fromBase64(response.authenticatorData)
  const signCount = checkAuthenticatorData(data, party)
  const key = readKey(stored.publicKey)
  const signed = Buffer.concat([data, hash('sha256', fromBase64(response.clientDataJSON), 'buffer')])
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  if (!verify(digest, signed, key, fromBase64(response.signature))) refuse()
  // A counter that does not grow reveals a copied key. Authenticators that sync keys between devices always report 0.
  const isCopy = (signCount !== 0 || stored.signCount !== 0) && signCount <= stored.signCount
  if (isCopy) refuse()
  return signCount
}

function checkClientData(text: string, type: string, challenge: string, { origin }: RelyingParty): void {
  const data = readJson(fromBase64(text).toString('utf8'))
  const isOurs = data.type === type && data.origin === origin && data.crossOrigin !== true
  if (!isOurs || typeof data.challenge !== 'string' || !isEqualSecret(data.challenge, challenge)) refuse()
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {}
  return refuse()
}

function checkAuthenticatorData(data: Buffer, { rpId }: RelyingParty): number {
  if (data.length < COUNT_AT + 4) return refuse()
  const isForUs = isEqualSecret(data.subarray(0, RP_HASH_BYTES), hash('sha256', rpId, 'buffer'))
  const wanted = USER_PRESENT | USER_VERIFIED
  if (!isForUs || (data.readUInt8(RP_HASH_BYTES) & wanted) !== wanted) return refuse()
  return data.readUInt32BE(COUNT_AT)
}

function readKey(der: Buffer): KeyObject {
  const key = parseKey(der)
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key
  const isKnown =
    type === 'ed25519' ||
    (type === 'ec' && details?.namedCurve === 'prime256v1') ||
    (type === 'rsa' && (details?.modulusLength ?? 0) >= 2048)
  return isKnown ? key : refuse()
}

function parseKey(der: Buffer): KeyObject {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    return refuse()
  }
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64url')
}

function refuse(): never {
  throw new Problem('invalid', 'This passkey could not be verified. Try again, or use another factor.')
}
