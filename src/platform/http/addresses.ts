// Finds the client of a request behind proxies and the network of an address, and checks addresses against lists.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string

/**
 * Returns the function that finds a client's address. X-Forwarded-For is believed only if its sender is a trusted
 * proxy. If the header's last entry is a trusted proxy as well, the entry before it is believed, and so on. `stranger`
 * is called with the address of an untrusted sender of the header, which may be a proxy that is missing from the list.
 */
export function clientAddress(
  trustedProxies: readonly string[],
  stranger: (address: string) => void = () => {},
): ClientAddress {
  const trusted = addressList(trustedProxies)
  return (request) => {
    const forwarded = request.headers['x-forwarded-for']
    let address = request.socket.remoteAddress ?? ''
    if (forwarded === undefined) return address
    if (!isListed(trusted, address)) stranger(address)
    const named = String(forwarded).match(/[^\s,]+/g) ?? []
    while (named.length > 0 && isListed(trusted, address)) address = named.pop() ?? ''
    return address
  }
}

/**
 * The key under which limits count an address: the IPv4 address, or the /64 of an IPv6 address, because one household
 * or server owns a whole /64.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [, dotted] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (dotted !== undefined) return dotted
  return isIPv6(address) ? networkOfGroups(groupsOf(address)) : address
}

function networkOfGroups(groups: readonly number[]): string {
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

/** Reads the eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const plain = address.replace(/%.*$/, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [front = [], back = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = new Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0')
  return [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16))
}

/** True if the text is an address or a range (CIDR). */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix = '0', ...more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= most
}

/** Builds a list of addresses. Each entry is an address or a range (CIDR). */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [network = '', prefix] = entry.split('/')
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  return list
}

export function isListed(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
