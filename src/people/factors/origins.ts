// The origins of the back office, and the one origin at which passkeys work. Passkeys need https or the host localhost.
// Therefore a sandbox at a loopback address can also be opened at localhost, on the same port.
import { isIP } from 'node:net'
import type { RelyingParty } from './passkey.ts'

const loopback: readonly string[] = ['127.0.0.1', '[::1]']

/** The origins of the back office. The origin of our public address comes first. */
export function originsOf(baseUrl: string): readonly string[] {
  const { origin } = new URL(baseUrl)
  return [...new Set([origin, atLocalhost(baseUrl).origin])]
}

/** The site to which passkeys belong. Undefined if passkeys cannot work at this address. */
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
