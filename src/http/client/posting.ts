// Posts to addresses that others chose, over connections that are kept for the next post and made only where a guard lets
// them. Settings of proxies in the environment are not read: they would lead past the guard. Certificates are always verified.

export type Post = {
  readonly url: URL
  /** With content-length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly mostResponseBytes: number
  /** Called once, unless the post is cut before. */
  readonly ended: (end: PostEnd) => void
}

/** What came of a response. */
export type Seen = { readonly status: number | undefined; readonly text: string }

export type PostEnd = Seen & {
  /** Undefined when the whole response came. */
  readonly error: Error | undefined
  /** A kept connection was closed before a byte of the response came: the server did not read the request. */
  readonly stale: boolean
}

export type PostUnderWay = {
  /** Waits no longer: the connection is closed, and `ended` is not called. */
  cut(): Seen
}

export type Posting = {
  /** Throws AddressRefused when nothing may be sent to the address. */
  post(post: Post): PostUnderWay
  close(): void
}

/** Idle connections kept per host. */
export const MOST_IDLE = 1_024
/** Servers close idle connections after five seconds or more: ours are closed before. */
export const IDLE_MS = 4_000
/** An honest response of this size comes in a few pieces. Each costs a turn of the event loop, be it a byte. */
export const MOST_PIECES = 256
export const MOST_INTERIM = 8

export function tooLong(status: number | undefined, mostBytes: number): string {
  return `answered ${status} with more than ${mostBytes} bytes`
}
