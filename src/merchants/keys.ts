// A merchant's secrets: how they are made, and how they are sealed for the row that they are kept in.
import { createPublicKey, type KeyObject, randomBytes, randomInt } from 'node:crypto'
import type { Vault } from '../base/secret.ts'
import { OperatorRefusal } from '../errors/catalogue.ts'
import type { Tx } from '../postgres/db.ts'
import { insertKey, type KeyKind } from './sql.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY_LENGTH = 32
const WEBHOOK_SECRET_BYTES = 32
const LEAST_RSA_BITS = 2048

/** 190 bits of chance in characters that need no quoting anywhere. */
export function makeMerchantKey(): string {
  return Array.from({ length: KEY_LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** In the form that Standard Webhooks libraries take. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(WEBHOOK_SECRET_BYTES).toString('base64')}`
}

/** Whose and what a sealed secret is: moved to another row, it does not open. */
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
  if (key?.asymmetricKeyType !== 'rsa') throw new OperatorRefusal('this is not an RSA public key in PEM form')
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < LEAST_RSA_BITS) {
    throw new OperatorRefusal(`the RSA key has ${bits} bits: it needs ${LEAST_RSA_BITS} or more`)
  }
  return key
}

function parsePublicKey(pem: string): KeyObject | undefined {
  // Node would take the public half out of a private key, which should never have been sent to us.
  if (pem.includes('PRIVATE KEY')) {
    throw new OperatorRefusal('this is a private key: give the public one, and keep this one to yourself')
  }
  try {
    return createPublicKey(pem)
  } catch {
    return undefined
  }
}
