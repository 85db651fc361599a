// Creates merchant keys and webhook secrets, and encrypts each secret for its row.
import { createPublicKey, hash, type KeyObject, randomBytes, randomInt } from 'node:crypto'
import type { Vault } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { insertKey, type KeyKind, selectOldKeys } from './sql.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_LENGTH = 32
const WEBHOOK_SECRET_BYTES = 32
const LEAST_RSA_BITS = 2048

/** Makes a merchant key: 190 random bits, in characters that never need quoting. */
export function makeMerchantKey(): string {
  return Array.from({ length: KEY_LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Makes a webhook secret in the form that Standard Webhooks libraries expect. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}`
}

/** Returns the context that binds an encrypted secret to its row. In another row, the secret does not decrypt. */
export function sealContext(merNo: number, kind: KeyKind, keyId: string): string {
  return `merchant:${merNo}:${kind}:${keyId}`
}

type NewKey = { readonly merNo: number; readonly kind: KeyKind; readonly secret: string; readonly now: Date }

export async function addKey(tx: Tx, vault: Vault, { merNo, kind, secret, now }: NewKey): Promise<void> {
  const keyId = randomBytes(8).toString('hex')
  const sealed = vault.seal(secret, sealContext(merNo, kind, keyId))
  await insertKey(tx, { merNo, keyId, kind, sealed, madeAt: now })
}

export function readRsaPublicKey(pem: string): KeyObject {
  const key = parsePublicKey(pem)
  if (key?.asymmetricKeyType !== 'rsa')
    throw new OperatorRefusal('the file is not an RSA public key in PEM form')
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < LEAST_RSA_BITS) {
    throw new OperatorRefusal(`the RSA key has ${bits} bits: use one of ${LEAST_RSA_BITS} bits or more`)
  }
  return key
}

/** Returns the fingerprint of the key's DER form, written as OpenSSH does. */
export function fingerprintOf(key: KeyObject): string {
  const digest = hash('sha256', key.export({ type: 'spki', format: 'der' }), 'base64')
  return `SHA256:${digest.replace(/=+$/, '')}`
}

function parsePublicKey(pem: string): KeyObject | undefined {
  // Node would accept a private key and derive the public key from it. But merchants must never send a private key.
  if (pem.includes('PRIVATE KEY')) {
    throw new OperatorRefusal(
      'the file is a private key: register the public one, and never send the private one',
    )
  }
  try {
    return createPublicKey(pem)
  } catch {
    return undefined
  }
}

const MOST = 5

/** Returns the merchant keys that expired last, for the signature debugger only. These keys are accepted nowhere. */
export async function findOldKeys(db: Queryable, vault: Vault, merNo: number, now: Date): Promise<string[]> {
  const rows = await selectOldKeys(db, merNo, now, MOST)
  return rows.map(({ keyId, sealed }) => vault.open(sealed, sealContext(merNo, 'md5', keyId)))
}
