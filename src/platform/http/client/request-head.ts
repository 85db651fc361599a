// The head of a request, to a host or to a proxy that forwards it.

export type HttpProxy = {
  readonly url: URL
  /** The header with our credentials, or '' if the proxy's URL contains none. */
  readonly authorization: string
}

/** Throws if the address is malformed. */
export function readProxy(address: string): HttpProxy {
  const url = new URL(address)
  const hasCredentials = url.username !== '' || url.password !== ''
  return { url, authorization: hasCredentials ? `proxy-authorization: ${basic(url)}\r\n` : '' }
}

/**
 * Returns a request's head. Throws on characters that headers may not have: a line break would begin a new header.
 * `forwarder` is the proxy that reads this request and forwards it.
 */
export function requestHead(
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  forwarder?: HttpProxy,
): string {
  const target = forwarder === undefined ? '' : url.origin
  let text = `${method} ${target}${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`
  if (forwarder !== undefined) text += forwarder.authorization
  const hasCredentials = url.username !== '' || url.password !== ''
  if (hasCredentials && !Object.keys(headers).some((name) => /^authorization$/i.test(name)))
    text += `authorization: ${basic(url)}\r\n`
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!isToken.test(name) || !isValue.test(value) || (isOurs.test(name) && name !== LENGTH))
      throw new TypeError(`the header ${JSON.stringify(name)} is malformed`)
    text += `${name}: ${value}\r\n`
  }
  return `${text}\r\n`
}

/** The only spelling of this header that callers use. */
const LENGTH = 'content-length'

export const isToken = /^[!#$%&'*+.^`|~\w-]+$/
/** Headers that end up twice, or contradict the body: a proxy and the host could read two different requests. */
const isOurs = /^(host|transfer-encoding|content-length)$/i
const isValue = /^[\t\x20-\x7e]*$/

/** Returns the credentials of a URL for basic authentication. Throws if they contain a malformed escape. */
function basic({ username, password }: URL): string {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(text).toString('base64')}`
}
