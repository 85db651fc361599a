// Posts to addresses that others chose, on connections that the guard allows. Proxies are never used, because they would
// bypass the guard.
import { type AddressGuard, AddressRefused } from './address-guard.ts'
import { type Connection, ConnectionPool, type Exchange, type LaterPieces, type Lost } from './connection.ts'
import { requestHead } from './request-head.ts'
import { ResponseReader } from './response-reader.ts'
import { routeOf } from './route.ts'

export type Post = {
  readonly url: URL
  /** The headers, including content-length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly mostResponseBytes: number
  /** Receives the result. Called once. Never called after `cut`. */
  readonly ended: (end: PostEnd) => void
}

export type Seen = { readonly status: number | undefined; readonly text: string }

export type PostEnd = Seen & {
  /** The error that ended the response. Undefined if the response is complete. */
  readonly error: Error | undefined
  /** True if a reused connection failed before any response: the server has probably not read the request. */
  readonly stale: boolean
}

export type PostUnderWay = {
  /** Closes the connection without calling `ended`. Returns the part of the response that has arrived. */
  cut(): Seen
}

export type Posting = {
  /** Throws AddressRefused if the guard refuses the address. */
  post(post: Post): PostUnderWay
  close(): void
}

export type PostingOptions = {
  /** Replaces the certificate authorities of the system in tests. */
  readonly ca?: string | undefined
  /** The pause between the pieces of a body, to test the receiver. Undefined sends a body at once. */
  readonly pauseMs?: number | undefined
}

/** The maximum number of idle connections per host. */
const MOST_IDLE = 1_024
/** The time after which we close an idle connection. Servers wait longer, five seconds or more. */
const IDLE_MS = 4_000
/** The number of pieces of a body that is sent with pauses. */
const PIECES = 5

/** The guard checks literal addresses here. The addresses of names are checked by its `lookup`. */
export function openPosting(guard: AddressGuard, { ca, pauseMs }: PostingOptions = {}): Posting {
  const pool = new ConnectionPool({ idleMs: IDLE_MS, mostIdle: MOST_IDLE })
  const options = { lookup: guard.lookup, tls: ca === undefined ? undefined : { ca } }
  return {
    post(post) {
      const refusal = guard.refusal(post.url)
      if (refusal !== undefined) throw new AddressRefused(refusal)
      const exchange = new PostExchange(post, pauseMs)
      const { origin } = post.url
      exchange.sendBy(pool.takeIdle(origin) ?? pool.open(origin, routeOf(post.url, options)))
      return exchange
    },
    close: () => pool.close(),
  }
}

class PostExchange implements Exchange, PostUnderWay {
  readonly text: string
  readonly later: LaterPieces | undefined
  readonly reader: ResponseReader
  readonly #post: Post
  #connection: Connection | undefined

  constructor(post: Post, pauseMs: number | undefined) {
    this.#post = post
    const [body = '', ...pieces] = pauseMs === undefined ? [post.body] : inPieces(post.body)
    this.text = requestHead('POST', post.url, post.headers) + body
    this.later = pauseMs === undefined ? undefined : { pieces, pauseMs }
    this.reader = new ResponseReader(post.mostResponseBytes)
  }

  sendBy(connection: Connection): void {
    this.#connection = connection
    connection.send(this)
  }

  cut(): Seen {
    this.#connection?.giveUp(this)
    return { status: this.reader.status, text: this.reader.text() }
  }

  ended(lost: Lost | undefined): void {
    const stale = lost?.reused === true && !lost.answered
    const { status } = this.reader
    this.#post.ended({ status, text: this.reader.text(), error: lost?.error, stale })
  }
}

/** Splits the text between code points, because half a code point cannot be encoded. */
function inPieces(text: string): string[] {
  const points = [...text]
  const size = Math.ceil(points.length / PIECES)
  return Array.from({ length: PIECES }, (_, at) => points.slice(at * size, (at + 1) * size).join(''))
}
