// RSA keys for tests, one per name. Creating a key takes a quarter of a second, so all files of a run share them.
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyFiles, privatePem, type RsaPair } from '../../sandbox/rsa-keys.ts'
import { insertKeyPair } from '../../src/money/merchants/platform-key.ts'
import type { Vault } from '../../src/platform/base/secret.ts'
import { openSecretFolder, readOrCreateSecret } from '../../src/platform/base/secret-file.ts'
import type { Db } from '../../src/platform/postgres/db.ts'

export type RsaKeyName = 'platform' | 'merchant' | 'gateway' | 'counterparty' | 'stranger'

const folder = process.env.TOLLGATE_TEST_KEYS ?? mkdtempSync(join(tmpdir(), 'tollgate-keys-'))

export function rsaPair(name: RsaKeyName): RsaPair {
  const make = () => privatePem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
  const privateKey = createPrivateKey(readOrCreateSecret(join(folder, `${name}.pem`), make))
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** Writes the keys of a sandbox into its data folder, where the sandbox finds them when it starts. */
export function giveSandboxKeys(dataDir: string): void {
  const names = { gateway: keyFiles.gateway, counterparty: keyFiles.platform } as const
  openSecretFolder(join(dataDir, 'sandbox'))
  for (const name of ['gateway', 'counterparty'] as const) {
    rsaPair(name)
    copyFileSync(join(folder, `${name}.pem`), join(dataDir, 'sandbox', names[name]))
  }
}

/** Stores the platform's key in a database, where a gateway finds it when it starts. */
export async function givePlatformKey(db: Db, vault: Vault): Promise<void> {
  const { privateKey, publicKey } = rsaPair('platform')
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const pair = { public_pem: publicPem, sealed: vault.seal(privatePem(privateKey), 'platform:rsa') }
  await insertKeyPair(db, pair, new Date())
}
