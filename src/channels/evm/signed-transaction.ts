// Reads a signed transaction of type 2 (EIP-1559), so that nothing is broadcast that differs from what we asked the signer for.
import { keccak_256 } from '@noble/hashes/sha3.js'

export type SignedTransaction = {
  readonly txHash: string
  readonly chainId: bigint
  readonly nonce: number
  /** In lower case. */
  readonly to: string
  readonly value: bigint
  readonly data: string
}

type Item = Buffer | readonly Item[]

const TYPE_2 = 2
/** chainId, nonce, two fees, gas, to, value, data, access list, and three parts of the signature. */
const FIELDS = 12

/** Undefined for anything else. */
export function readSignedTransaction(raw: string): SignedTransaction | undefined {
  if (!/^0x02([0-9a-fA-F]{2}){1,4096}$/.test(raw)) return undefined
  const bytes = Buffer.from(raw.slice(2), 'hex')
  const list = decodeWhole(bytes.subarray(1))
  if (bytes[0] !== TYPE_2 || list === undefined || Buffer.isBuffer(list) || list.length !== FIELDS)
    return undefined
  const [chainId, nonce, , , , to, value, data] = list
  if (![chainId, nonce, to, value, data].every((item) => Buffer.isBuffer(item))) return undefined
  return {
    txHash: `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`,
    chainId: numberOf(chainId),
    nonce: Number(numberOf(nonce)),
    to: hexOf(to),
    value: numberOf(value),
    data: hexOf(data),
  }
}

function hexOf(item: Item | undefined): string {
  return `0x${Buffer.isBuffer(item) ? item.toString('hex') : ''}`
}

function numberOf(item: Item | undefined): bigint {
  const hex = hexOf(item)
  return hex === '0x' ? 0n : BigInt(hex)
}

/** RLP: one byte says whether a text or a list follows, and how long it is. */
function decodeWhole(bytes: Buffer): Item | undefined {
  const decoded = decode(bytes)
  return decoded !== undefined && decoded.length === bytes.length ? decoded.item : undefined
}

type Decoded = { readonly item: Item; readonly length: number }

function decode(bytes: Buffer): Decoded | undefined {
  const first = bytes[0]
  if (first === undefined) return undefined
  if (first < 0x80) return { item: bytes.subarray(0, 1), length: 1 }
  const isList = first >= 0xc0
  const span = spanOf(bytes, first - (isList ? 0xc0 : 0x80))
  if (span === undefined || span.end > bytes.length) return undefined
  const content = bytes.subarray(span.begin, span.end)
  if (!isList) return { item: content, length: span.end }
  const items = decodeList(content)
  return items && { item: items, length: span.end }
}

/** Where the content is. Up to 55 bytes have their length in the first byte. */
function spanOf(bytes: Buffer, size: number): { readonly begin: number; readonly end: number } | undefined {
  if (size <= 55) return { begin: 1, end: 1 + size }
  const digits = size - 55
  if (digits > 4 || bytes.length < 1 + digits) return undefined
  const begin = 1 + digits
  return { begin, end: begin + bytes.readUIntBE(1, digits) }
}

function decodeList(content: Buffer): Item[] | undefined {
  const items: Item[] = []
  for (let at = 0; at < content.length; ) {
    const decoded = decode(content.subarray(at))
    if (decoded === undefined) return undefined
    items.push(decoded.item)
    at += decoded.length
  }
  return items
}
