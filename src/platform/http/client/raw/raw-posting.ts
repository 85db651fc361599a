// Posts without Node's HTTP client; raw-client.ts says why. The plain implementation is `plainPosting` in
// ../posting.ts. docs/performance.md, "What each fast path saves", says how much time is saved.
import type { AddressGuard } from '../address-guard.ts'
import { IDLE_MS, MOST_IDLE, type Post, type Posting, type PostUnderWay, type Seen } from '../posting.ts'
import { type Connection, ConnectionPool, type Exchange, type Lost, planOf } from './connection.ts'
import { requestHead } from './request-head.ts'
import { ResponseReader } from './response-reader.ts'

/** Posts on connections of a pool. `openPosting` has checked literal addresses, and the guard's lookup checks names. */
export function rawPosting({ lookup }: AddressGuard, ca?: string): Posting {
  const pool = new ConnectionPool({ idleMs: IDLE_MS, mostIdle: MOST_IDLE })
  const options = { lookup, ...(ca !== undefined && { ca }) }
  return {
    post(post) {
      const { origin } = post.url
      const connection = pool.takeIdle(origin) ?? pool.open(origin, planOf(post.url, options))
      const exchange = new PostExchange(connection, post)
      connection.send(exchange)
      return exchange
    },
    close: () => pool.close(),
  }
}

class PostExchange implements Exchange, PostUnderWay {
  readonly text: string
  readonly reader: ResponseReader
  readonly #connection: Connection
  readonly #post: Post

  constructor(connection: Connection, post: Post) {
    this.#connection = connection
    this.#post = post
    this.text = requestHead('POST', post.url, post.headers) + post.body
    this.reader = new ResponseReader(post.mostResponseBytes)
  }

  cut(): Seen {
    this.#connection.giveUp(this)
    return { status: this.reader.status, text: this.reader.text() }
  }

  ended(lost: Lost | undefined): void {
    const stale = lost?.reused === true && !lost.answered
    const { status } = this.reader
    this.#post.ended({ status, text: this.reader.text(), error: lost?.error, stale })
  }
}
