// The platform's own RSA key pair: signs what we send to merchants who use RSA. Made once, by whichever gateway comes first.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Vault } from '../base/secret.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Db, Queryable } from '../postgres/db.ts'
import { insertKeyPair, selectKeyPair } from './platform-sql.ts'

export type PlatformKey = { readonly privateKey: KeyObject; readonly publicPem: string }

const NAME = 'rsa'
const CONTEXT = 'platform:rsa'

export async function openPlatformKey(db: Db, vault: Vault, now: Date): Promise<PlatformKey> {
  return (await findPlatformKey(db, vault)) ?? (await make(db, vault, now))
}

/** Undefined before the first gateway's start; throws if this is not the master key that it was sealed under. */
export async function findPlatformKey(db: Queryable, vault: Vault): Promise<PlatformKey | undefined> {
  const row = await selectKeyPair(db, NAME)
  if (row === undefined) return undefined
  return { privateKey: createPrivateKey(open(vault, row.sealed)), publicPem: row.public_pem }
}

function open(vault: Vault, sealed: Buffer): string {
  try {
    return vault.open(sealed, CONTEXT)
  } catch {
    throw new SettingError(
      'TOLLGATE_MASTER_KEY, or master.key in the data folder, is not the key that this database was made with: start with that one',
    )
  }
}

async function make(db: Db, vault: Vault, now: Date): Promise<PlatformKey> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const pair = { public_pem: publicKey, sealed: vault.seal(privateKey, CONTEXT) }
  await insertKeyPair(db, NAME, pair, now)
  const kept = await findPlatformKey(db, vault)
  if (kept === undefined) throw new Error('broken promise: the platform key is there once it was made')
  return kept
}
