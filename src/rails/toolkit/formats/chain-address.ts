// Derives our addresses from an extended public key, one per order. Every address is derived here again before a payer sees
// it. The private keys are elsewhere.
import { ECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'

export type AddressBook = {
  /** The address with this index; undefined for an invalid index. */
  at(index: number): string | undefined
}

const MAX_INDEX = 2 ** 31
const MAX_CACHED = 10_000

/** m / purpose' / coin' / account' */
const ACCOUNT_DEPTH = 3

/**
 * `xpub` must be an account key (m/44'/60'/0') of the main network; its receiving branch is 0. A key of another depth would
 * give addresses that its owner's wallet never checks. Throws for anything else.
 */
export function openAddressBook(xpub: string): AddressBook {
  if (!/^xp(ub|rv)/.test(xpub)) throw new Error('the key is not of the main network')
  const account = HDKey.fromExtendedKey(xpub)
  if (account.privateKey !== null) throw new Error('the key is private')
  if (account.depth !== ACCOUNT_DEPTH)
    throw new Error(`the key has depth ${account.depth}, not ${ACCOUNT_DEPTH}`)
  const branch = account.deriveChild(0)
  const derive = (index: number) => {
    const { publicKey } = branch.deriveChild(index)
    return publicKey === null ? undefined : addressOf(publicKey)
  }
  // A derivation takes a millisecond or more, and an order is queried many times while its payer pays.
  const cached = new Map<number, string | undefined>()
  return {
    at(index) {
      if (!Number.isInteger(index) || index < 0 || index >= MAX_INDEX) return undefined
      if (cached.has(index)) return cached.get(index)
      if (cached.size >= MAX_CACHED) cached.clear()
      const address = derive(index)
      cached.set(index, address)
      return address
    },
  }
}

/** The last twenty bytes of the hash of the point, without its prefix byte. */
export function addressOf(publicKey: Uint8Array): string {
  const point = Buffer.from(ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed'))
  return withChecksum(hex(keccak_256(point.subarray(1)).subarray(-20)))
}

/** EIP-55: the case of each letter encodes a bit of a checksum. */
export function withChecksum(address: string): string {
  const plain = address.replace(/^0x/, '').toLowerCase()
  const hash = hex(keccak_256(Buffer.from(plain, 'ascii')))
  const cased = [...plain].map((digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

/** Written with its checksum, an address with a typing error is noticed. */
export function isChecksummed(address: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(address) && withChecksum(address) === address
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
