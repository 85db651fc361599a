// Addresses on EVM chains, and payment URIs. Each order gets an address that is derived from an extended public key. If
// a counterparty sends an order's address, the gateway derives the address again before a payer sees it. The gateway
// has no private keys of these addresses.
import { ECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'

export type AddressBook = {
  at(index: number): string | undefined
}

const MAX_INDEX = 2 ** 31
const MAX_CACHED = 10_000

/** The depth of an account key: m / purpose' / coin' / account'. */
const ACCOUNT_DEPTH = 3

/**
 * Opens the addresses of an account key such as m/44'/60'/0', on its receiving branch 0. Throws for a private key, and
 * for a key of another depth, whose addresses the owner's wallet would never check.
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

/** Derives the address: the last 20 bytes of the hash of the uncompressed point without its prefix byte. */
export function addressOf(publicKey: Uint8Array): string {
  const point = Buffer.from(ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed'))
  return withChecksum(hex(keccak_256(point.subarray(1)).subarray(-20)))
}

/** Writes an address with its EIP-55 checksum: the case of each letter encodes a bit of the checksum. */
export function withChecksum(address: string): string {
  const plain = address.replace(/^0x/, '').toLowerCase()
  const hash = hex(keccak_256(Buffer.from(plain, 'ascii')))
  const cased = [...plain].map((digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

/** True for an address with its checksum, which reveals typing errors. */
export function isChecksummed(address: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(address) && withChecksum(address) === address
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

type CoinRequest = {
  /** The token's contract, or 'native' for the network's own coin. */
  readonly contract: string
  readonly chainId: number
  readonly address: string
  /** The amount in the coin's smallest unit. */
  readonly units: bigint
}

/** Returns the payment URI of EIP-681. */
export function paymentUri({ contract, chainId, address, units }: CoinRequest): string {
  if (contract === 'native') return `ethereum:${address}@${chainId}?value=${units}`
  return `ethereum:${contract}@${chainId}/transfer?address=${address}&uint256=${units}`
}
