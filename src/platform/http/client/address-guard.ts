// Guards against server-side request forgery (SSRF) when others choose the URL. The guard checks the address after the
// name is resolved. The connection goes to the checked address, so a later DNS answer cannot bypass the check.
import { isIP, type LookupFunction } from 'node:net'
import { addressList, isListed } from '../addresses.ts'
import { reachOf } from './public-address.ts'
import { createResolve, type Resolve, type Resolved } from './resolve-name.ts'

export type MayReach = (address: string) => boolean

export type ReachOptions = {
  readonly loopbackAllowed: boolean
  /** The addresses and ranges (CIDR) that are always allowed. */
  readonly allow: readonly string[]
}

export type AddressGuardOptions = ReachOptions & {
  readonly ports: readonly number[] | 'any'
  /** Replaces the name server in tests. */
  readonly resolve?: Resolve
}

export type AddressGuard = {
  /**
   * Returns why nothing may be sent to this URL, or undefined if the URL is allowed. The addresses of a host name are
   * checked later, by `lookup`.
   */
  refusal(url: URL): string | undefined
  readonly mayReach: MayReach
  /** The lookup for net.connect, which returns only allowed addresses. */
  readonly lookup: LookupFunction
}

export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED'
  override readonly name = 'AddressRefused'
}

export function openReach({ loopbackAllowed, allow }: ReachOptions): MayReach {
  const allowList = addressList(allow)
  return (address) => {
    const reach = reachOf(address)
    if (reach === 'public' || (reach === 'loopback' && loopbackAllowed)) return true
    return isListed(allowList, address)
  }
}

export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const { ports, resolve = createResolve() } = options
  const mayReach = openReach(options)
  // Results are cached, because the result for a URL never changes, and many requests go to the same URL.
  const cached = new WeakMap<URL, string | undefined>()
  const refusalOf = (url: URL) => {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https are allowed'
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    if (ports !== 'any' && !ports.includes(port)) return `port ${port} is not allowed`
    const host = url.hostname.replace(/^\[|\]$/g, '')
    return isIP(host) !== 0 && !mayReach(host) ? refusedAddress(host) : undefined
  }
  return {
    mayReach,
    refusal(url) {
      if (!cached.has(url)) cached.set(url, refusalOf(url))
      return cached.get(url)
    },
    lookup(hostname, lookupOptions, callback) {
      resolve(hostname).then(
        (found) => {
          const allowed = found.filter(({ address }) => mayReach(address))
          const [first] = allowed
          if (first === undefined) return callback(noneLeft(hostname, found), '')
          if (lookupOptions.all) return callback(null, [...allowed])
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
  return `${address} is private or reserved: we do not send there`
}
