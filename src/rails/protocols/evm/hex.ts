// The hexadecimal values of JSON-RPC and of the contracts' interface. Readers throw a RpcFailure: a node that sends something
// else is not believed.
import { RpcFailure } from './json-rpc.ts'

/** Transfer(address from, address to, uint256 value) of ERC-20. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** New coin comes from it, as by a bridge between chains. Coin that is sent to it is lost. */
export const NOBODY = `0x${'0'.repeat(40)}`

const TRANSFER_SELECTOR = 'a9059cbb'
const DECIMALS_SELECTOR = '0x313ce567'
const WORD_DIGITS = 64

export function toQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`
}

export function readQuantity(value: unknown, what: string): bigint {
  const quantity = findQuantity(value)
  if (quantity !== undefined) return quantity
  throw new RpcFailure('malformed', `${what} is not a number`)
}

/** Of a field that nodes may lack. */
export function findQuantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value) ? BigInt(value) : undefined
}

/** Of blocks, indexes and times, which fit a JavaScript number. */
export function readNumber(value: unknown, what: string): number {
  const number = Number(readQuantity(value, what))
  if (Number.isSafeInteger(number)) return number
  throw new RpcFailure('malformed', `${what} is too large`)
}

/** In lower case. */
export function readHash(value: unknown, what: string): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase()
  throw new RpcFailure('malformed', `${what} is not a hash`)
}

/** In lower case. */
export function readAddress(value: unknown, what: string): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase()
  throw new RpcFailure('malformed', `${what} is not an address`)
}

/** An address as a topic of a log. */
export function addressTopic(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')}`
}

export function topicAddress(topic: unknown, what: string): string {
  const hash = readHash(topic, what)
  if (/^0x0{24}/.test(hash)) return `0x${hash.slice(-40)}`
  throw new RpcFailure('malformed', `${what} is not an address`)
}

/** The call `transfer(to, units)` of ERC-20. */
export function transferData(to: string, units: bigint): string {
  return `0x${TRANSFER_SELECTOR}${word(BigInt(to))}${word(units)}`
}

/** The call `decimals()` of ERC-20. */
export const decimalsData = DECIMALS_SELECTOR

function word(value: bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, '0')
}

/** As a decimal without zeros at the end: 0.00042. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
