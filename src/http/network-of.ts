// Whose address it is, for limits. One household or server has a whole /64 of IPv6 addresses to take turns with.
import { isIPv6 } from 'node:net'

/** IPv4 as it is, also when it is mapped into IPv6; IPv6 by its /64; all else as it is. */
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

/** Eight numbers, however the address is written. The digits of IPv4 at its end never reach the first four. */
function groupsOf(address: string): number[] {
  const plain = address.replace(/%.*$/, '').replace(/\d+\.\d+\.\d+\.\d+$/, '0:0')
  const [front = [], back = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = new Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0')
  return [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16))
}
