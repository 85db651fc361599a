// Reads and writes hexadecimal values of JSON-RPC and ERC-20. If a node sent a malformed value, the functions read… and
// topicAddress throw an RpcFailure.
import { RpcFailure } from './json-rpc.ts'

/** The topic of ERC-20's event Transfer: the Keccak-256 hash of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/**
 * The zero address, which is the sender of minted coin, for example from a bridge. Coin that is sent to this address is
 * lost.
 */
export const NOBODY = `0x${'0'.repeat(40)}`

const TRANSFER_SELECTOR = 'a9059cbb'
const WORD_DIGITS = 64

export function toQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`
}

export function readQuantity(value: unknown, what: string): bigint {
  const quantity = findQuantity(value)
  if (quantity !== undefined) return quantity
  throw new RpcFailure('malformed', `${what} is not a number`)
}

/** Reads a field that some nodes leave out. Undefined if the value is missing or malformed. */
export function findQuantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value) ? BigInt(value) : undefined
}

/** Reads a safe integer, such as a block number, an index or a time. */
export function readNumber(value: unknown, what: string): number {
  const number = Number(readQuantity(value, what))
  if (Number.isSafeInteger(number)) return number
  throw new RpcFailure('malformed', `${what} is too large`)
}

export function readHash(value: unknown, what: string): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase()
  throw new RpcFailure('malformed', `${what} is not a hash`)
}

export function readAddress(value: unknown, what: string): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase()
  throw new RpcFailure('malformed', `${what} is not an address`)
}

/** Returns the address as a topic of a log, padded with zeros. */
export function addressTopic(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')}`
}

export function topicAddress(topic: unknown, what: string): string {
  const hash = readHash(topic, what)
  if (/^0x0{24}/.test(hash)) return `0x${hash.slice(-40)}`
  throw new RpcFailure('malformed', `${what} is not an address`)
}

/** Returns the data of the ERC-20 call `transfer(to, units)`. */
export function transferData(to: string, units: bigint): string {
  return `0x${TRANSFER_SELECTOR}${word(BigInt(to))}${word(units)}`
}

/** The data of the ERC-20 call `decimals()`. */
export const decimalsData = '0x313ce567'

function word(value: bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, '0')
}

/** Formats an amount of coin without trailing zeros, such as 0.00042. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
