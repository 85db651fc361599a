// Finds the origins at which the back office can be opened, and the origin at which passkeys work. Passkeys need https,
// or the host name localhost. A sandbox at 127.0.0.1 can also be opened at localhost, on the same port.
import { isIP } from 'node:net'
import type { RelyingParty } from './passkey.ts'

const loopback: readonly string[] = ['127.0.0.1', '[::1]']

/** Lists the origins of the back office. The first origin is our public address. */
export function originsOf(baseUrl: string): readonly string[] {
  const { origin } = new URL(baseUrl)
  return [...new Set([origin, atLocalhost(baseUrl).origin])]
}

/** Returns the site that passkeys belong to; undefined if passkeys cannot work at this address. */
export function passkeyParty(baseUrl: string): RelyingParty | undefined {
  const { origin, hostname, protocol } = atLocalhost(baseUrl)
  const isName = isIP(hostname.replace(/[[\]]/g, '')) === 0
  return hostname === 'localhost' || (protocol === 'https:' && isName)
    ? { rpId: hostname, origin }
    : undefined
}

function atLocalhost(baseUrl: string): URL {
  const url = new URL(baseUrl)
  if (loopback.includes(url.hostname)) url.hostname = 'localhost'
  return url
}
