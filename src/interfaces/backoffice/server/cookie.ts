// The cookies of the back office. Over https their names begin with __Host-, so that no other host, subdomain or path
// can set them.

export type Cookie = {
  readonly name: string
  /** Returns the value of a Set-Cookie header. Without a token, the header removes the cookie. */
  write(token: string | undefined): string
}

/** The session's cookie. Browsers delete it when they are closed. */
export function sessionCookie(origin: string): Cookie {
  return cookieOf(origin, 'tollgate', '')
}

const YEAR_S = 31_536_000

/** The cookie that identifies a known browser for a year. */
export function deviceCookie(origin: string): Cookie {
  return cookieOf(origin, 'tollgate-device', `; Max-Age=${YEAR_S}`)
}

function cookieOf(origin: string, plainName: string, lasts: string): Cookie {
  const isSecure = origin.startsWith('https:')
  const name = isSecure ? `__Host-${plainName}` : plainName
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    name,
    write: (token) =>
      token === undefined ? `${name}=; ${attributes}; Max-Age=0` : `${name}=${token}; ${attributes}${lasts}`,
  }
}

export function readCookie({ name }: Cookie, header: string | undefined): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2)
    if (key === name && value !== undefined && value !== '') return value
  }
  return undefined
}
