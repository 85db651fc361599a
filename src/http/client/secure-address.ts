import { reachOfHost } from './public-address.ts'

/** Plain http is allowed on this machine, and for hosts that the operator listed because their network is safe. */
export function isSecureAddress(url: URL, plainHttpHosts: readonly string[]): boolean {
  if (url.protocol === 'https:') return true
  return reachOfHost(url.hostname) === 'loopback' || plainHttpHosts.includes(url.hostname)
}

/** What to do about an insecure address. The caller prepends the name of the setting. */
export const INSECURE_ADDRESS =
  'must be an https address in live; plain http is for loopback and the hosts of TOLLGATE_PLAIN_HTTP_HOSTS'
