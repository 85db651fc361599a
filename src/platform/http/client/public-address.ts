// An address is public only if the whole internet can reach it. Private networks count as reserved, and so do addresses
// that embed another address.
import { isIP } from 'node:net'
import { addressList } from '../addresses.ts'

export type Reach = 'public' | 'loopback' | 'reserved'

const reserved4 = addressList([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // The platform service of a large cloud, which all virtual machines of that cloud can reach. This address is outside
  // the officially reserved ranges, but is refused as well.
  '168.63.129.16/32',
])

// All allocated IPv6 addresses are in 2000::/3. Link-local, unique-local, mapped and translated addresses are outside.
const given6 = addressList(['2000::/3'])
const reserved6 = addressList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
const loopback4 = addressList(['127.0.0.0/8'])

export function reachOf(address: string): Reach {
  if (isIP(address) === 4) {
    if (loopback4.check(address)) return 'loopback'
    return reserved4.check(address) ? 'reserved' : 'public'
  }
  if (address === '::1') return 'loopback'
  return given6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6') ? 'public' : 'reserved'
}

/**
 * Classifies the hostname of a URL. Names of this machine are loopback. Any other name counts as public, because its
 * addresses are not known before it is resolved.
 */
export function reachOfHost(hostname: string): Reach {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return reachOf(host)
  return host === 'localhost' || host.endsWith('.localhost') ? 'loopback' : 'public'
}

/**
 * True if the URL is https or may use plain http. Plain http is allowed on this machine, and for hosts that the
 * operator listed because their network is safe.
 */
export function isSecureAddress(url: URL, plainHttpHosts: readonly string[]): boolean {
  if (url.protocol === 'https:') return true
  return reachOfHost(url.hostname) === 'loopback' || plainHttpHosts.includes(url.hostname)
}

/** The error message for an insecure address. The caller puts the name of the setting before it. */
export const INSECURE_ADDRESS =
  'must be an https address in live; plain http is for loopback and the hosts of TOLLGATE_PLAIN_HTTP_HOSTS'
