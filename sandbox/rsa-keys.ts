// The RSA keys of counterparties that sign with RSA: the gateway's key, which a real merchant registers at the
// counterparty, and the counterparty's own key (`platform`). The keys are created on first use and stored in the
// sandbox's folder.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { readOrCreateSecret } from '../src/platform/base/secret-file.ts'

export type RsaPair = { readonly privateKey: KeyObject; readonly publicKey: KeyObject }

export type RsaKeys = { readonly gateway: RsaPair; readonly platform: RsaPair }

/** The file names, for tests. */
export const keyFiles = { gateway: 'gateway-rsa.pem', platform: 'platform-rsa.pem' } as const

const BITS = 2048

export function readOrCreateRsaKeys(folder: string): () => RsaKeys {
  let keys: RsaKeys | undefined
  return () => {
    keys ??= {
      gateway: readOrCreatePair(join(folder, keyFiles.gateway)),
      platform: readOrCreatePair(join(folder, keyFiles.platform)),
    }
    return keys
  }
}

// Every sandbox makes its own keys, because keys that are published with the program would sooner or later be trusted
// somewhere.
function readOrCreatePair(file: string): RsaPair {
  const make = () => privatePem(generateKeyPairSync('rsa', { modulusLength: BITS }).privateKey)
  const privateKey = createPrivateKey(readOrCreateSecret(file, make))
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

export function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

export function publicPem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString()
}
