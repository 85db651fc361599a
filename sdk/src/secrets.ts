// Verifies what the gateway signed. The signed string begins with the event, so no signature fits two purposes.
import { base64, bytesOfBase64, isEqual } from './bytes.ts'
import { canonicalString, type Fields } from './canonical.ts'
import type { NotificationEvent } from './generated.ts'
import { md5 } from './md5.ts'
import { verifyRsa } from './rsa.ts'

/** What the gateway signs with, for this merchant. */
export type Secrets = (
  | {
      /** The merchant key. While it is being rotated, give both: the gateway may still use the old one. */
      readonly key: string | readonly string[]
    }
  | {
      /** For merchants with an RSA key: the gateway's public key, from /keys/platform.pem. */
      readonly platformKey: string
    }
) & {
  /** `whsec_…`. With it, old and repeated requests of a stranger are refused too. */
  readonly webhookSecret?: string | undefined
}

export type SignedEvent = NotificationEvent | 'return'

export function signedString(event: SignedEvent, fields: Fields): string {
  return `event=${event}&${canonicalString(fields)}`
}

export async function isSignedBy(
  secrets: Secrets,
  event: SignedEvent,
  { sign, ...fields }: Readonly<Record<string, string | number>>,
): Promise<boolean> {
  if (typeof sign !== 'string') return false
  const text = signedString(event, fields)
  if ('platformKey' in secrets) return verifyRsa(secrets.platformKey, text, sign)
  const keys = typeof secrets.key === 'string' ? [secrets.key] : secrets.key
  return keys.some((key) => isEqual(md5(text + key), sign))
}

/** The signature of the Standard Webhooks specification. */
export async function webhookSignature(
  secret: string,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: string; readonly body: string },
): Promise<string> {
  const bytes = bytesOfBase64(secret.replace(/^whsec_/, ''))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${id}.${timestamp}.${body}`))
  return `v1,${base64(new Uint8Array(mac))}`
}
