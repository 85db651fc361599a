// Owns platform_keys: the platform's RSA key pair, which signs our messages to merchants that have an RSA key. The
// first gateway creates the key pair, unless the command `listen` or `exam` was run before.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Vault } from '../../platform/base/secret.ts'
import { assert, SettingError } from '../../platform/errors/catalogue.ts'
import type { Db, Queryable } from '../../platform/postgres/db.ts'

type KeyPairRow = { readonly public_pem: string; readonly sealed: Buffer }

export type PlatformKey = { readonly privateKey: KeyObject; readonly publicPem: string }

const NAME = 'rsa'
const CONTEXT = 'platform:rsa'

export async function openPlatformKey(db: Db, vault: Vault, now: Date): Promise<PlatformKey> {
  return (await findPlatformKey(db, vault)) ?? (await make(db, vault, now))
}

/** Finds the key. Undefined if it was not created yet. Throws if the master key does not decrypt the key. */
export async function findPlatformKey(db: Queryable, vault: Vault): Promise<PlatformKey | undefined> {
  const [row] = await db.query<KeyPairRow>({
    text: 'select public_pem, sealed from platform_keys where name = $1',
    values: [NAME],
  })
  if (row === undefined) return undefined
  return { privateKey: createPrivateKey(open(vault, row.sealed)), publicPem: row.public_pem }
}

function open(vault: Vault, sealed: Buffer): string {
  try {
    return vault.open(sealed, CONTEXT)
  } catch {
    throw new SettingError(
      'TOLLGATE_MASTER_KEY, or master.key in the data folder, is not the master key of this database: use the original key',
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
  await insertKeyPair(db, pair, now)
  const stored = await findPlatformKey(db, vault)
  assert(stored !== undefined, 'the platform key exists after its insert')
  return stored
}

export async function insertKeyPair(db: Db, pair: KeyPairRow, now: Date): Promise<void> {
  await db.query({
    text: `
      insert into platform_keys (name, public_pem, sealed, made_at) values ($1, $2, $3, $4)
      on conflict (name) do nothing`,
    values: [NAME, pair.public_pem, pair.sealed, now],
  })
}
