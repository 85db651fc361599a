// Signs transactions of type 2 (EIP-1559), without the code of the gateway that reads them.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { CHAIN_ID } from '../counterparties/fake-evm.ts'

/** Private keys whose addresses are well known: the numbers 1 and 2. */
export const testKeys = [1, 2].map((number) => Buffer.alloc(32).fill(number, 31))
export const testAccounts = [
  '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
  '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf',
] as const

export type TransactionParts = {
  readonly key: Uint8Array
  readonly nonce: number
  readonly to: Buffer
  readonly data?: Buffer
  /** The fee is one byte, like the nonce and the tip. */
  readonly fee?: number
  readonly tip?: number
  readonly gas?: number
  readonly change?: (signature: Buffer[]) => Buffer[]
}

/** Signs a transaction that sends only data, and no native coin. */
export function signTransaction(parts: TransactionParts): string {
  const { key, nonce, to, data = Buffer.of(), change = (signature) => signature } = parts
  const { fee = 2, tip = 1, gas = 21_000 } = parts
  const numbers = [[CHAIN_ID], [nonce], [tip], [fee], [gas >> 8, gas & 255]].map((bytes) =>
    text(Buffer.from(bytes)),
  )
  const fields = [...numbers, text(to), text(Buffer.of()), text(data), listOf([])]
  const hash = keccak_256(Buffer.concat([Buffer.of(2), listOf(fields)]))
  const [parity = 0, ...rest] = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' })
  const withoutZeros = (bytes: number[]) => Buffer.from(bytes.slice(bytes.findIndex((byte) => byte !== 0)))
  const signature = [
    parity === 0 ? Buffer.of() : Buffer.of(parity),
    withoutZeros(rest.slice(0, 32)),
    withoutZeros(rest.slice(32)),
  ]
  const whole = listOf([...fields, ...change(signature).map(text)])
  return `0x02${whole.toString('hex')}`
}

function text(bytes: Uint8Array): Buffer {
  const [first = 0x80] = bytes
  if (bytes.length === 1 && first < 0x80) return Buffer.from(bytes)
  return Buffer.concat([
    bytes.length <= 55 ? Buffer.of(0x80 + bytes.length) : Buffer.of(0xb8, bytes.length),
    bytes,
  ])
}

function listOf(items: readonly Buffer[]): Buffer {
  const content = Buffer.concat(items)
  const { length } = content
  const header =
    length <= 55 ? [0xc0 + length] : length <= 255 ? [0xf8, length] : [0xf9, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(header), content])
}
