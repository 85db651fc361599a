// The cookies of the back office. Over https, their names begin with __Host-. Therefore browsers accept them only from
// this host, with https and the path /.

export type Cookie = {
  readonly name: string
  /** Returns the value of a Set-Cookie header. Without a token, the header deletes the cookie. */
  write(token: string | undefined): string
}

/** The session's cookie. A browser deletes it when the browser is closed. */
export function sessionCookie(origin: string): Cookie {
  return cookieOf(origin, 'tollgate', '')
}

const YEAR_S = 31_536_000

/** The cookie by which a browser is recognised for a year. */
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
