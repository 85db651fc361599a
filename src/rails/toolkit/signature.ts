// Signatures. Our own protocol signs requests in both directions with an HMAC over method, path, time and body. Alipay,
// WeChat Pay and STP use RSA with SHA-256 in base64.

import { type KeyObject, sign, verify } from 'node:crypto'
import { memoize } from '../../platform/base/memoize.ts'
import { hmacBy, isEqualSecret } from '../../platform/base/secret.ts'

export const timestampHeader = 'x-tollgate-timestamp'
export const signatureHeader = 'x-tollgate-signature'

type SignedParts = {
  readonly method: string
  readonly path: string
  /** Seconds since 1970. */
  readonly timestamp: string
  readonly body: string
}

/** The largest difference between a request's time and our clock. An older request may be a replay. */
export const CLOCK_TOLERANCE_MS = 300_000
const MOST_SECRETS = 100

const macOf = memoize(MOST_SECRETS, (secret) => hmacBy(Buffer.from(secret)))

export function signRequest(secret: string, parts: SignedParts): string {
  const { method, path, timestamp, body } = parts
  return macOf(secret)(`${method}\n${path}\n${timestamp}\n${body}`)
}

export function isSignedBy(secret: string, parts: SignedParts, signature: string, now: Date): boolean {
  const ageMs = Math.abs(now.getTime() - Number(parts.timestamp) * 1000)
  if (!/^\d{1,12}$/.test(parts.timestamp) || ageMs > CLOCK_TOLERANCE_MS) return false
  return isEqualSecret(signature, signRequest(secret, parts))
}

export function signRsa(text: string, privateKey: KeyObject): string {
  return sign('sha256', Buffer.from(text), privateKey).toString('base64')
}

/**
 * True if the RSA signature is right. Only canonical base64 is accepted, so that each signature has only one valid
 * text.
 */
export function isRsaSigned(text: string, signature: string, publicKey: KeyObject): boolean {
  const bytes = Buffer.from(signature, 'base64')
  return bytes.toString('base64') === signature && verify('sha256', Buffer.from(text), publicKey, bytes)
}
