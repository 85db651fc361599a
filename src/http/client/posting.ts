// Posts to addresses that others chose. Connections are reused, and opened only to addresses that the guard allows. Proxy
// settings in the environment are ignored, because they would bypass the guard. Certificates are always verified.

export type Post = {
  readonly url: URL
  /** Includes content-length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly mostResponseBytes: number
  /** Called once, unless the post is cut first. */
  readonly ended: (end: PostEnd) => void
}

/** The part of a response that has arrived. */
export type Seen = { readonly status: number | undefined; readonly text: string }

export type PostEnd = Seen & {
  /** Undefined when the response is complete. */
  readonly error: Error | undefined
  /** A reused connection was closed before the first byte of the response, so the server did not read the request. */
  readonly stale: boolean
}

export type PostUnderWay = {
  /** Stops waiting: closes the connection, and `ended` is not called. */
  cut(): Seen
}

export type Posting = {
  /** Throws AddressRefused if the guard does not allow the address. */
  post(post: Post): PostUnderWay
  close(): void
}

/** Maximum idle connections per host. */
export const MOST_IDLE = 1_024
/** Servers close idle connections after five seconds or more. We close ours earlier. */
export const IDLE_MS = 4_000
/** An honest response comes in a few pieces. Each piece costs a turn of the event loop, even if it is one byte. */
export const MOST_PIECES = 256
export const MOST_INTERIM = 8

export function tooLong(status: number | undefined, mostBytes: number): string {
  return `answered ${status} with more than ${mostBytes} bytes`
}
