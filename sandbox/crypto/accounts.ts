// The merchant's account on the simulated chain. Its seed is stored, and the gateway gets its extended public key. Each
// charge has its own address.
import { ECDH, randomBytes } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'
import { readOrCreateSecret } from '../../src/platform/base/secret-file.ts'

export type Accounts = { readonly xpub: string; addressAt(index: number): string }

export function readOrCreateAccounts(file: string): Accounts {
  const seed = Buffer.from(
    readOrCreateSecret(file, () => randomBytes(32).toString('hex')),
    'hex',
  )
  const { publicExtendedKey: xpub } = HDKey.fromMasterSeed(seed).derive("m/44'/60'/0'")
  const branch = HDKey.fromExtendedKey(xpub).deriveChild(0)
  return { xpub, addressAt: (index) => addressOf(branch.deriveChild(index)) }
}

function addressOf({ publicKey }: HDKey): string {
  if (publicKey === null) throw new Error('the account has no public key')
  const point = Buffer.from(ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed'))
  const plain = Buffer.from(keccak_256(point.subarray(1)))
    .toString('hex')
    .slice(-40)
  const hash = Buffer.from(keccak_256(Buffer.from(plain))).toString('hex')
  return `0x${[...plain].map((digit, at) => (`${hash[at]}` >= '8' ? digit.toUpperCase() : digit)).join('')}`
}
