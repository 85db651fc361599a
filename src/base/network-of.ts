// Who counts as one caller by its address. An IPv4 address is one; in IPv6 everybody is given a /64 at least, and may
// take a new address out of it for every connection.
import { isIPv6 } from 'node:net'

/** An IPv4 address as it is, also when written as IPv6; of other IPv6 addresses the first 64 bits. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) groups.push(...Array(Math.max(0, 8 - groups.length - groupsIn(tail))).fill('0'))
  if (tail !== undefined && tail !== '') groups.push(...tail.split(':'))
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** An IPv4 address at the end stands for two. */
function groupsIn(tail: string): number {
  if (tail === '') return 0
  return tail.split(':').length + (tail.includes('.') ? 1 : 0)
}
