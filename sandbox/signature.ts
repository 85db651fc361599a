// The signature of our own protocol, as docs/bridge-protocol.md describes it. The gateway has separate code for the
// signature, because a mistake in shared code would stay unnoticed.
// See docs/decisions/0184-counterparties-by-address.md.
import { createHmac } from 'node:crypto'
import { isEqualSecret } from '../src/platform/base/secret.ts'

export const TIMESTAMP = 'x-tollgate-timestamp'
export const SIGNATURE = 'x-tollgate-signature'

type Signed = {
  readonly method: string
  readonly path: string
  /** Seconds since 1970. */
  readonly timestamp: string
  readonly body: string
}

/** The largest difference in seconds between the time of a request and now. */
const TOLERANCE_S = 300

export function sign(secret: string, { method, path, timestamp, body }: Signed): string {
  return createHmac('sha256', secret).update([method, path, timestamp, body].join('\n')).digest('base64url')
}

export function isSigned(secret: string, signed: Signed, signature: string): boolean {
  const { timestamp } = signed
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_S
  return /^\d{1,12}$/.test(timestamp) && isRecent && isEqualSecret(signature, sign(secret, signed))
}
