// Posts to addresses that others chose, on connections that the guard allows. Proxy settings in the environment are
// ignored, because they would bypass the guard. Certificates are always verified.
import http from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressGuard } from './address-guard.ts'

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

/** The maximum number of idle connections per host. */
export const MOST_IDLE = 1_024
/** The time after which we close an idle connection. Servers wait longer, five seconds or more. */
export const IDLE_MS = 4_000
/** The maximum number of pieces of a response. Each piece, even of one byte, costs a turn of the event loop. */
export const MOST_PIECES = 256
export const MOST_INTERIM = 8

export function tooLong(status: number | undefined, mostBytes: number): string {
  return `answered ${status} with more than ${mostBytes} bytes`
}

/** Posts with Node's own HTTP client. `lookup` is called only for names: `openPosting` checks literal addresses. */
export function plainPosting({ lookup }: AddressGuard, ca?: string, pauseMs?: number): Posting {
  const shared = {
    keepAlive: true,
    maxFreeSockets: MOST_IDLE,
    timeout: IDLE_MS,
    scheduling: 'lifo',
    lookup,
  } as const
  const plain = new http.Agent(shared)
  const secure = new https.Agent({ ...shared, rejectUnauthorized: true, ...(ca !== undefined && { ca }) })
  const underWay = new Set<Exchange>()
  return {
    post(post) {
      const isSecure = post.url.protocol === 'https:'
      const options = { method: 'POST', headers: post.headers, agent: isSecure ? secure : plain }
      const request = (isSecure ? https : http).request(post.url, options)
      const exchange = new Exchange(request, post, () => underWay.delete(exchange))
      underWay.add(exchange)
      if (pauseMs === undefined) request.end(post.body)
      else void writeSlowly(request, post.body, pauseMs)
      return exchange
    },
    close() {
      for (const exchange of underWay) exchange.cut()
      plain.destroy()
      secure.destroy()
    },
  }
}

const PIECES = 5

/** Writes the body in pieces. Stops when the receiver has closed the connection. */
async function writeSlowly(request: http.ClientRequest, body: string, pauseMs: number): Promise<void> {
  const bytes = Buffer.from(body)
  const size = Math.ceil(bytes.length / PIECES)
  for (let at = 0; at < bytes.length && !request.destroyed; at += size) {
    if (at > 0) await sleep(pauseMs)
    request.write(bytes.subarray(at, at + size))
  }
  request.end()
}

class Exchange implements PostUnderWay {
  readonly #request: http.ClientRequest
  readonly #post: Post
  readonly #left: () => void
  #response: http.IncomingMessage | undefined
  #pieces: Buffer[] = []
  #bytes = 0
  #interim = 0
  /** The number of bytes that the connection had read before this request. */
  #readBefore = 0
  #isOver = false

  constructor(request: http.ClientRequest, post: Post, left: () => void) {
    this.#request = request
    this.#post = post
    this.#left = left
    request.on('socket', (socket) => {
      this.#readBefore = socket.bytesRead
    })
    request.on('information', () => {
      if (++this.#interim > MOST_INTERIM) this.#end(new Error('it sends too many interim responses'))
    })
    request.on('response', (response) => this.#read(response))
    request.on('error', (error) => this.#end(error))
    request.on('close', () => this.#end(new Error('the connection was closed without a response')))
  }

  #read(response: http.IncomingMessage): void {
    this.#response = response
    response.on('data', (piece: Buffer) => {
      this.#pieces.push(piece)
      this.#bytes += piece.length
      const { mostResponseBytes } = this.#post
      if (this.#bytes > mostResponseBytes)
        this.#end(new Error(tooLong(response.statusCode, mostResponseBytes)))
      else if (this.#pieces.length > MOST_PIECES)
        this.#end(new Error('the response comes in too many pieces'))
    })
    response.on('end', () => this.#end(undefined))
    response.on('error', (error) => this.#end(error))
  }

  cut(): Seen {
    this.#leave()
    this.#request.destroy()
    return this.#seen()
  }

  #end(error: Error | undefined): void {
    if (this.#isOver) return
    this.#leave()
    const { reusedSocket, socket } = this.#request
    const stale = error !== undefined && reusedSocket && socket?.bytesRead === this.#readBefore
    if (error !== undefined) this.#request.destroy()
    this.#post.ended({ ...this.#seen(), error, stale })
  }

  #leave(): void {
    this.#isOver = true
    this.#left()
  }

  #seen(): Seen {
    const text = Buffer.concat(this.#pieces).toString('utf8', 0, this.#post.mostResponseBytes)
    return { status: this.#response?.statusCode, text }
  }
}
