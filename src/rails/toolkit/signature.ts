// Signs requests to and from counterparties of our own protocol: an HMAC over method, path, time and body.
import { memoize } from '../base/memoize.ts'
import { hmacBy, isEqualSecret } from '../base/secret.ts'

export const timestampHeader = 'x-tollgate-timestamp'
export const signatureHeader = 'x-tollgate-signature'

export type SignedParts = {
  readonly method: string
  readonly path: string
  /** Seconds since 1970. */
  readonly timestamp: string
  readonly body: string
}

/** Maximum clock difference; an older request may be a replay. */
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
