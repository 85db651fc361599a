// Reads a signed transaction of type 2 (EIP-1559). The caller compares it with the request. So the gateway never
// broadcasts a transaction that pays something else or was signed with another key.
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addressOf } from '../../toolkit/formats/chain-address.ts'

/** Prices per unit of gas: `most` is maxFeePerGas, `tip` is maxPriorityFeePerGas. */
export type Fees = { readonly most: bigint; readonly tip: bigint }

export type SignedTransaction = {
  readonly txHash: string
  /** The address of the account that signed the transaction, in lower case. */
  readonly from: string
  readonly chainId: bigint
  readonly nonce: number
  readonly fees: Fees
  /** The address that the transaction calls, in lower case. */
  readonly to: string
  readonly value: bigint
  readonly data: string
}

type Item = Buffer | readonly Item[]

const TYPE_2 = 2
/**
 * The number of fields: chainId, nonce, two fees, gas, to, value, data, access list, and three fields of the signature.
 */
const FIELDS = 12
const SIGNATURE_FIELDS = 3

export function readSignedTransaction(raw: string): SignedTransaction | undefined {
  if (!/^0x02([0-9a-fA-F]{2}){1,4096}$/.test(raw)) return undefined
  const bytes = Buffer.from(raw.slice(2), 'hex')
  const list = decodeWhole(bytes.subarray(1))
  if (bytes[0] !== TYPE_2 || list === undefined || Buffer.isBuffer(list) || list.length !== FIELDS)
    return undefined
  const [chainId, nonce, tip, most, , to, value, data] = list
  if (![chainId, nonce, tip, most, to, value, data].every((item) => Buffer.isBuffer(item))) return undefined
  const from = signerOf(bytes, list.slice(-SIGNATURE_FIELDS))
  if (from === undefined) return undefined
  return {
    txHash: `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`,
    from,
    chainId: numberOf(chainId),
    nonce: Number(numberOf(nonce)),
    fees: { most: numberOf(most), tip: numberOf(tip) },
    to: hexOf(to),
    value: numberOf(value),
    data: hexOf(data),
  }
}

/**
 * Returns the account that signed. Undefined if the signature is invalid. The signature covers the transaction without
 * its last three fields.
 */
function signerOf(bytes: Buffer, signature: readonly Item[]): string | undefined {
  const [parity, r, s] = signature.map(numberOf)
  const span = spanOf(bytes.subarray(1), (bytes[1] ?? 0) - 0xc0)
  if (parity === undefined || r === undefined || s === undefined || span === undefined) return undefined
  const length = signature.reduce(
    (sum, item) => sum + (item.length === 1 && numberOf(item) < 0x80n ? 1 : 1 + item.length),
    0,
  )
  const unsigned = bytes.subarray(1 + span.begin, bytes.length - length)
  const hash = keccak_256(Buffer.concat([Buffer.of(TYPE_2), listHeader(unsigned.length), unsigned]))
  try {
    const point = new secp256k1.Signature(r, s, Number(parity)).recoverPublicKey(hash)
    return addressOf(point.toBytes()).toLowerCase()
  } catch {
    // The signature is out of range, or not a point on the curve.
    return undefined
  }
}

function listHeader(length: number): Buffer {
  if (length <= 55) return Buffer.of(0xc0 + length)
  const digits = Buffer.from(
    length
      .toString(16)
      .padStart(8, '0')
      .replace(/^(00)+/, ''),
    'hex',
  )
  return Buffer.concat([Buffer.of(0xf7 + digits.length), digits])
}

function hexOf(item: Item | undefined): string {
  return `0x${Buffer.isBuffer(item) ? item.toString('hex') : ''}`
}

function numberOf(item: Item | undefined): bigint {
  const hex = hexOf(item)
  return hex === '0x' ? 0n : BigInt(hex)
}

/**
 * Decodes one item of RLP, whose first byte gives the kind and the length. Undefined if the item is malformed, or if
 * bytes follow it.
 */
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

/**
 * Returns where the content begins and ends. A `size` of up to 55 is the length of the content. A larger `size` means
 * that the next `size - 55` bytes contain the length.
 */
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
