// Addresses of our own, one an order, from an extended public key: whoever tells one, it is reckoned again here before a
// payer sees it. The private keys are nowhere near.
import { ECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HDKey } from '@scure/bip32'

export type AddressBook = {
  /** The address of that number; undefined when there is none. */
  at(index: number): string | undefined
}

const MAX_INDEX = 2 ** 31
const MAX_REMEMBERED = 10_000

/** m / purpose' / coin' / account' */
const ACCOUNT_DEPTH = 3

/**
 * `xpub` is an account's (m/44'/60'/0'): its receiving branch is 0. A key of another depth would give addresses that no
 * wallet of its owner looks at. Throws when it is anything else, or not of the main network.
 */
export function openAddressBook(xpub: string): AddressBook {
  if (!/^xp(ub|rv)/.test(xpub)) throw new Error('it is not a key of the main network')
  const account = HDKey.fromExtendedKey(xpub)
  if (account.privateKey !== null) throw new Error('it is a private key')
  if (account.depth !== ACCOUNT_DEPTH)
    throw new Error(`it is a key of depth ${account.depth}, not ${ACCOUNT_DEPTH}`)
  const branch = account.deriveChild(0)
  const derive = (index: number) => {
    const { publicKey } = branch.deriveChild(index)
    return publicKey === null ? undefined : addressOf(publicKey)
  }
  // An order is looked at many times while its payer pays, and a derivation takes a millisecond or more.
  const remembered = new Map<number, string | undefined>()
  return {
    at(index) {
      if (!Number.isInteger(index) || index < 0 || index >= MAX_INDEX) return undefined
      if (remembered.has(index)) return remembered.get(index)
      if (remembered.size >= MAX_REMEMBERED) remembered.clear()
      const address = derive(index)
      remembered.set(index, address)
      return address
    },
  }
}

/** The last twenty bytes of the hash of the point, without the byte that says it is uncompressed. */
function addressOf(publicKey: Uint8Array): string {
  const point = Buffer.from(ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed'))
  return withChecksum(hex(keccak_256(point.subarray(1)).subarray(-20)))
}

/** EIP-55: the case of each letter is a bit of the hash of the address, so that a typing error shows. */
export function withChecksum(address: string): string {
  const plain = address.replace(/^0x/, '').toLowerCase()
  const hash = hex(keccak_256(Buffer.from(plain, 'ascii')))
  const cased = [...plain].map((digit, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
