// The session cookie. Over https its name begins with __Host-, so that no other host, subdomain or path can set it.

export type Cookie = {
  readonly name: string
  /** The value of Set-Cookie; without a token it removes the cookie. */
  write(token: string | undefined): string
}

export function sessionCookie(origin: string): Cookie {
  const isSecure = origin.startsWith('https:')
  const name = isSecure ? '__Host-tollgate' : 'tollgate'
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    name,
    write: (token) =>
      token === undefined ? `${name}=; ${attributes}; Max-Age=0` : `${name}=${token}; ${attributes}`,
  }
}

export function readCookie({ name }: Cookie, header: string | undefined): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name && value !== undefined && value !== '') return value
  }
  return undefined
}
