// The HTTP client for counterparties, and its pool of connections by origin. The result is `unsent` only if the
// counterparty certainly did not read the request: see docs/decisions/0346-repeated-only-if-nothing-left.md.
//
// We speak HTTP ourselves because general clients spend most of their time on parts of HTTP/1.1 that are not needed if
// the whole text of a request is known at once. docs/performance.md compares this client with undici.
import { whyOf } from '../../base/thrown.ts'
import { type Connection, ConnectionPool, type Exchange, type Lost, PROXY_REFUSES_US } from './connection.ts'
import { ProxyFault, whyBroken } from './connection-faults.ts'
import { readProxy, requestHead } from './request-head.ts'
import { shareLookup } from './resolve-name.ts'
import { ResponseReader } from './response-reader.ts'
import { type ClientTls, type Route, routeOf } from './route.ts'

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

export type HttpReply =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string | undefined>>
      readonly text: string
    }
  | Unanswered

export type Unanswered =
  /** The counterparty certainly did not read the request. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** The counterparty may have acted on the request. */
  | { readonly kind: 'silent'; readonly why: string }

export type HttpClient = (request: HttpRequest) => Promise<HttpReply>

export type HttpClientOptions = {
  /** Our certificate, and further certificate authorities, in PEM. */
  readonly tls?: ClientTls
  /** The maximum size of a response, in bytes. A longer response is an error. */
  readonly maxResponseBytes?: number
  /** The proxy for all requests, except those to this machine. */
  readonly proxy?: string
}

const MAX_RESPONSE_BYTES = 65_536
/** The maximum number of connections per origin. Further requests wait for a connection. */
const MOST_CONNECTIONS = 256
/**
 * The time for which an idle connection is kept, because a new connection costs a TLS handshake. If the server closes
 * the connection earlier, it announces its time-out, or we notice the closed connection.
 */
const IDLE_MS = 55_000
/** The size of the pieces into which networks cut a long response. Each piece costs a turn of the event loop. */
const PIECE_BYTES = 1_024
const LEAST_PIECES = 4_096

const lookup = shareLookup()

export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { tls, maxResponseBytes = MAX_RESPONSE_BYTES } = options
  const proxy = options.proxy === undefined ? undefined : readProxy(options.proxy)
  const origins = new Map<string, Origin>()
  const mostPieces = Math.max(LEAST_PIECES, maxResponseBytes / PIECE_BYTES)
  const pool = new ConnectionPool({
    idleMs: IDLE_MS,
    mostIdle: MOST_CONNECTIONS,
    freed: (origin) => origins.get(origin)?.next(),
    closed: (origin) => origins.get(origin)?.closed(),
  })

  function originOf(url: URL): Origin {
    const known = origins.get(url.origin)
    if (known !== undefined) return known
    const origin = new Origin(pool, url.origin, routeOf(url, { lookup, tls, proxy }))
    origins.set(url.origin, origin)
    return origin
  }

  return (request) =>
    new Promise((resolve) => {
      const newReader = () => new ResponseReader(maxResponseBytes, mostPieces)
      callOf(request, { newReader, origin: originOf(request.url), resolve })?.begin()
    })
}

/** Creates the call. If a header is malformed, the request's text cannot be built, and the reply is `unsent`. */
function callOf(request: HttpRequest, tools: CallTools): Call | undefined {
  try {
    return new Call(request, tools)
  } catch (error) {
    tools.resolve({ kind: 'unsent', why: whyOf(error) })
    return undefined
  }
}

/** The connections to one origin, and the calls that wait for a connection. */
class Origin {
  readonly route: Route
  readonly #pool: ConnectionPool
  readonly #name: string
  readonly #waiting = new Set<Call>()
  #open = 0

  constructor(pool: ConnectionPool, name: string, route: Route) {
    this.#pool = pool
    this.#name = name
    this.route = route
  }

  send(call: Call): void {
    const connection = this.#pool.takeIdle(this.#name) ?? this.#openOne()
    if (connection === undefined) this.#waiting.add(call)
    else call.sendBy(connection)
  }

  /** Removes a waiting call. Returns false if the call no longer waits. */
  forget(call: Call): boolean {
    return this.#waiting.delete(call)
  }

  next(): void {
    for (const call of this.#waiting) {
      this.#waiting.delete(call)
      this.send(call)
      return
    }
  }

  closed(): void {
    this.#open--
    this.next()
  }

  #openOne(): Connection | undefined {
    if (this.#open >= MOST_CONNECTIONS) return undefined
    const opened = this.#pool.open(this.#name, this.route)
    this.#open++
    return opened
  }
}

type CallTools = {
  readonly newReader: () => ResponseReader
  readonly origin: Origin
  readonly resolve: (reply: HttpReply) => void
}

class Call implements Exchange {
  readonly text: string
  reader: ResponseReader
  readonly #tools: CallTools
  readonly #signal: AbortSignal
  readonly #abort = () => this.#giveUp()
  #connection: Connection | undefined
  #isRepeated = false

  constructor(request: HttpRequest, tools: CallTools) {
    this.text = textOf(request, tools.origin.route)
    this.reader = tools.newReader()
    this.#tools = tools
    this.#signal = request.signal
  }

  begin(): void {
    if (this.#signal.aborted) {
      this.#giveUp()
      return
    }
    this.#signal.addEventListener('abort', this.#abort, { once: true })
    this.#tools.origin.send(this)
  }

  sendBy(connection: Connection): void {
    this.#connection = connection
    connection.send(this)
  }

  ended(lost: Lost | undefined): void {
    if (lost === undefined) {
      this.#resolve(this.#answer())
      return
    }
    if (lost.reused && !lost.sent && !this.#isRepeated) {
      // The server had closed the reused connection before the request was written, so nobody saw the request.
      this.#isRepeated = true
      this.#connection = undefined
      this.reader = this.#tools.newReader()
      this.#tools.origin.send(this)
      return
    }
    this.#resolve({ kind: lost.sent ? 'silent' : 'unsent', why: whyBroken(lost.error) })
  }

  #answer(): HttpReply {
    const { status = 0, headers } = this.reader
    const { forwarder } = this.#tools.origin.route
    // `proxy-authenticate` is for the next hop only, so this response is from the proxy, which forwarded nothing.
    const isOfProxy = forwarder !== undefined && headers['proxy-authenticate'] !== undefined
    if (isOfProxy && status === PROXY_REFUSES_US)
      return { kind: 'unsent', why: new ProxyFault('did not accept our credentials').message }
    return { kind: 'answer', status, headers, text: this.reader.text() }
  }

  /** Ends the call without a response. If the call still waits for a connection, nothing was sent. */
  #giveUp(): void {
    const connection = this.#connection
    const isSent = !this.#tools.origin.forget(this) && connection?.isOpen === true
    connection?.giveUp(this)
    this.#resolve({ kind: isSent ? 'silent' : 'unsent', why: 'no response in time' })
  }

  #resolve(reply: HttpReply): void {
    this.#signal.removeEventListener('abort', this.#abort)
    this.#tools.resolve(reply)
  }
}

function textOf({ method, url, headers = {}, body = '' }: HttpRequest, { forwarder }: Route): string {
  const hasBody = body !== '' || (method !== 'GET' && method !== 'DELETE')
  const length = hasBody ? { 'content-length': String(Buffer.byteLength(body)) } : {}
  return requestHead(method, url, { ...headers, ...length }, forwarder) + body
}

/** An escaped NUL character. The database cannot store NUL, and no counterparty needs it. */
const NUL = '\\u0000'

/**
 * Parses a response. Undefined if the text is malformed JSON or has an escaped NUL: the outcome is then unknown, and
 * not failed.
 */
export function parseJson(text: string): unknown {
  if (text.includes(NUL)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
