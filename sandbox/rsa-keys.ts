// RSA keys of counterparties that sign with them: the gateway's own, which a real one would have made and registered
// there, and the platform's. Made when they are first needed, and kept in the sandbox's folder.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { readOrCreateSecret } from '../src/base/secret-file.ts'

export type RsaPair = { readonly privateKey: KeyObject; readonly publicKey: KeyObject }

export type RsaKeys = { readonly gateway: RsaPair; readonly platform: RsaPair }

/** The files, for whoever wants to play a part in a test. */
export const keyFiles = { gateway: 'gateway-rsa.pem', platform: 'platform-rsa.pem' } as const

const BITS = 2048

export function keptRsaKeys(folder: string): () => RsaKeys {
  let keys: RsaKeys | undefined
  return () => {
    keys ??= {
      gateway: keptPair(join(folder, keyFiles.gateway)),
      platform: keptPair(join(folder, keyFiles.platform)),
    }
    return keys
  }
}

function keptPair(file: string): RsaPair {
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
