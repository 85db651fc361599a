// Verifies the gateway's signatures. The signed string begins with the event, so a signature is valid for only one
// event.
//
// Anybody can sign with an empty key. Therefore a key that is missing, empty or short is an error, also in a list of
// keys. To leave out unset variables, write `[KEY, OLD_KEY].filter(Boolean)`.
import { base64, bytesOfBase64, isEqual } from './bytes.ts'
import { canonicalString, type Fields } from './canonical.ts'
import { TollgateError } from './errors.ts'
import type { NotificationEvent } from './generated.ts'
import { md5 } from './md5.ts'
import { verifyRsa } from './rsa.ts'
import type { SigningKey } from './sign.ts'

/** The keys with which the merchant verifies the gateway's signatures. */
export type Secrets = (
  | {
      /**
       * The merchant key. While you rotate the key, give the new and the old key, because the gateway may sign with
       * either key.
       */
      readonly key: string | readonly string[]
    }
  | {
      /** For merchants with an RSA key: the gateway's public key, from /keys/platform.pem. */
      readonly platformKey: string
    }
) & {
  /**
   * The secret `whsec_…`. With this secret, replayed old notifications are refused. Omit the field if you have no
   * secret.
   */
  readonly webhookSecret?: string
}

/** The minimum length of a key. The gateway's keys have 32 characters. */
const SHORTEST_KEY = 16

/** Throws a TollgateError if a secret is unusable. The message names the secret. */
export function checkSecrets(secrets: Secrets): void {
  if ('webhookSecret' in secrets) checkWebhookSecret(secrets.webhookSecret)
  if ('platformKey' in secrets) checkPem('platformKey', secrets.platformKey, 'PUBLIC')
  else if (!Array.isArray(secrets.key)) checkKey('key', secrets.key)
  else if (secrets.key.length === 0) throw unusable('key is a list without a key')
  else for (const [index, key] of secrets.key.entries()) checkKey(`key[${index}]`, key)
}

/** Throws a TollgateError if the key is missing or too short, or if the private key is not in PEM (PKCS#8). */
export function checkSigningKey({ key, privateKey }: SigningKey): void {
  if (privateKey === undefined) checkKey('key', key)
  else checkPem('privateKey', privateKey, 'PRIVATE')
}

function checkKey(name: string, key: unknown): void {
  if (typeof key !== 'string' || key === '') throw unusable(`${name} is missing`)
  if (key.length < SHORTEST_KEY) throw unusable(`${name} has fewer than ${SHORTEST_KEY} characters`)
}

function checkWebhookSecret(secret: unknown): void {
  if (typeof secret !== 'string' || secret === '') throw unusable('webhookSecret is missing')
  if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret))
    throw unusable('webhookSecret must be whsec_ and at least 16 characters in base64')
}

function checkPem(name: string, pem: unknown, half: 'PUBLIC' | 'PRIVATE'): void {
  if (typeof pem !== 'string' || pem.trim() === '') throw unusable(`${name} is missing`)
  if (pem.includes('BEGIN RSA PRIVATE KEY'))
    throw unusable(`convert ${name} to PKCS#8: openssl pkcs8 -topk8 -nocrypt -in key.pem`)
  if (!new RegExp(`-----BEGIN ${half} KEY-----[\\sA-Za-z0-9+/=]{16,}-----END ${half} KEY-----`).test(pem))
    throw unusable(`${name} must be a ${half.toLowerCase()} key in PEM`)
}

function unusable(what: string): TollgateError {
  return new TollgateError(`the settings cannot be used: ${what}`, { next: 'check-keys' })
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
