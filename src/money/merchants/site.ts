// Parses websites and normalises them to lower-case ASCII, as browsers do.

const shape = /^(?<host>\[[0-9a-f:.]+\]|[^:[\]/\\?#@%*\s]+)(?::(?<port>\d{1,5}))?$/i
const hostShape = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)$/

/** Parses `host`, `host:port` or `*.host`. Undefined for anything else. */
export function readSite(text: string): string | undefined {
  if (!text.startsWith('*.')) return readHostAndPort(text)
  const host = readHostAndPort(text.slice(2))
  const isName = host !== undefined && !host.includes(':') && !/^[\d.]+$/.test(host)
  return isName ? `*.${host}` : undefined
}

function readHostAndPort(text: string): string | undefined {
  const { host, port } = shape.exec(text)?.groups ?? {}
  if (host === undefined) return undefined
  // The port is parsed separately, because URL drops the default port of a scheme.
  const hostname = URL.parse(`http://${host}`)?.hostname
  if (hostname === undefined || hostname.length > 253 || !hostShape.test(hostname)) return undefined
  if (port === undefined) return hostname
  const number = Number(port)
  return number >= 1 && number <= 65_535 ? `${hostname}:${number}` : undefined
}
