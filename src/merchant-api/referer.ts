// Where a payment says that it comes from. Only the Referer header counts; it is read as browsers read addresses.
import { Refusal } from '../base/error.ts'

export function checkReferer(referer: string | undefined, websites: readonly string[]): void {
  if (referer === undefined || referer.trim() === '') throw new Refusal('10006')
  const url = URL.parse(referer)
  if (url === null || !isWeb(url) || url.username !== '' || url.password !== '') throw new Refusal('10007')
  if (!websites.some((site) => isOf(url, site))) throw new Refusal('10008')
}

function isWeb(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:'
}

/** A site is `host` (any port), `host:port`, or `*.host` for the host's subdomains without itself. */
function isOf(url: URL, site: string): boolean {
  const [, host = site, port] = /^(.+?)(?::(\d+))?$/.exec(site) ?? []
  if (port !== undefined && port !== portOf(url)) return false
  return host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}
