// Where we may be sent by others, decided where a connection is made: at the address, after every name is resolved. A
// name that leads to several addresses is reached at those that pass; the connection is made to the very address that
// was looked at, so that a second answer of the name server changes nothing.
import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { addressList, isListed } from '../addresses.ts'
import { reachOf } from './public-address.ts'

export type AddressGuardOptions = {
  readonly loopbackAllowed: boolean
  /** Addresses and ranges (CIDR) that are reached whatever they are. */
  readonly allow: readonly string[]
  readonly ports: readonly number[] | 'any'
  /** Tests answer for the name server here. */
  readonly resolve?: Resolve
}

export type Resolve = (hostname: string) => Promise<readonly Resolved[]>
export type Resolved = { readonly address: string; readonly family: 4 | 6 }

export type AddressGuard = {
  /** Why nothing may be sent to this URL; undefined when all that can be known before resolving it passes. */
  refusal(url: URL): string | undefined
  mayReach(address: string): boolean
  /** For net.connect: passes on only addresses that may be reached. */
  readonly lookup: LookupFunction
}

/** The address or the port is one that nothing is sent to. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED'
  override readonly name = 'AddressRefused'
}

export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const { loopbackAllowed, ports, resolve = resolveBySystem } = options
  const allowed = addressList(options.allow)
  const mayReach = (address: string) => {
    const reach = reachOf(address)
    if (reach === 'public' || (reach === 'loopback' && loopbackAllowed)) return true
    return isListed(allowed, address)
  }
  // Of one URL it is always the same, and many requests go to one.
  const known = new WeakMap<URL, string | undefined>()
  const refusalOf = (url: URL) => {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https are sent to'
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    if (ports !== 'any' && !ports.includes(port)) return `port ${port} is not one that is sent to`
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return isIP(host) !== 0 && !mayReach(host) ? refusedAddress(host) : undefined
  }
  return {
    mayReach,
    refusal(url) {
      if (!known.has(url)) known.set(url, refusalOf(url))
      return known.get(url)
    },
    lookup(hostname, lookupOptions, callback) {
      resolve(hostname).then(
        (found) => {
          const passed = found.filter(({ address }) => mayReach(address))
          const [first] = passed
          if (first === undefined) return callback(noneLeft(hostname, found), '')
          if (lookupOptions.all) return callback(null, [...passed])
          return callback(null, first.address, first.family)
        },
        (error) => callback(error, ''),
      )
    },
  }
}

function noneLeft(hostname: string, found: readonly Resolved[]): Error {
  const [first] = found
  return new AddressRefused(
    first === undefined ? `${hostname} has no address` : `${hostname}: ${refusedAddress(first.address)}`,
  )
}

function refusedAddress(address: string): string {
  return `${address} is private or reserved: nothing is sent there`
}

function resolveBySystem(hostname: string): Promise<readonly Resolved[]> {
  return new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, found) => {
      if (error !== null) return reject(error)
      resolve(found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })))
    })
  })
}
