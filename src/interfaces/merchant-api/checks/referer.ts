// Checks the Referer header against the merchant's websites. The header is parsed in the same way as in browsers.

import { memoize } from '../../../platform/base/memoize.ts'
import { Refusal } from '../../../platform/errors/catalogue.ts'

export function checkReferer(referer: string | undefined, websites: readonly string[]): void {
  if (referer === undefined || referer.trim() === '') throw new Refusal('10006')
  const place = readReferer(referer)
  if (place === undefined) throw new Refusal('10007')
  if (!websites.some((site) => isOf(place, site))) throw new Refusal('10008')
}

type Place = { readonly host: string; readonly port: string }

const MAX_CACHED = 1_000

/**
 * Returns the host and port of an http or https URL. Returns undefined for any other Referer, and for a URL with
 * credentials.
 */
const readReferer = memoize(MAX_CACHED, (referer): Place | undefined => {
  const url = URL.parse(referer)
  if (url === null || !isWeb(url) || url.username !== '' || url.password !== '') return undefined
  return { host: url.hostname, port: url.port || (url.protocol === 'https:' ? '443' : '80') }
})

function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:'
}

/**
 * True if the place belongs to the site. A site is `host` for any port, `host:port`, or `*.host` for all subdomains of
 * the host but not for the host itself.
 */
function isOf(place: Place, site: string): boolean {
  if (site === place.host) return true
  const [, host = site, port] = /^(.+?)(?::(\d+))?$/.exec(site) ?? []
  if (port !== undefined && port !== place.port) return false
  return host.startsWith('*.') ? place.host.endsWith(host.slice(1)) : place.host === host
}
