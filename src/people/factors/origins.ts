// Where the back office is open, and where passkeys work: they need https, or the name localhost. A sandbox at 127.0.0.1 is
// also open at localhost, on the same port.
import { isIP } from 'node:net'
import type { RelyingParty } from '../factors/passkey.ts'

const loopback: readonly string[] = ['127.0.0.1', '[::1]']

/** The first is our public address. */
export function originsOf(baseUrl: string): readonly string[] {
  const { origin } = new URL(baseUrl)
  return [...new Set([origin, atLocalhost(baseUrl).origin])]
}

/** Undefined where passkeys cannot work. */
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
