/** Returns a request's head. Throws on characters that headers may not have: a line break would begin a new header. */
export function requestHead(method: string, url: URL, headers: Readonly<Record<string, string>>): string {
  let text = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`
  if (url.username !== '' || url.password !== '') text += `authorization: ${basic(url)}\r\n`
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!isToken.test(name) || !isValue.test(value))
      throw new TypeError(`the header ${JSON.stringify(name)} is malformed`)
    text += `${name}: ${value}\r\n`
  }
  return `${text}\r\n`
}

export const isToken = /^[!#$%&'*+.^`|~\w-]+$/
const isValue = /^[\t\x20-\x7e]*$/

function basic({ username, password }: URL): string {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(text).toString('base64')}`
}
