// Sends requests to counterparties without Node's HTTP client. Node's client spends most of its time on parts of
// HTTP/1.1 that are not needed if the whole text of a request is known at once.
import { whyOf } from '../../../base/thrown.ts'
import { whyBroken } from '../connection-faults.ts'
import type { ClientTls, HttpClient, HttpReply, HttpRequest } from '../http-call.ts'
import { shareLookup } from '../resolve-name.ts'
import {
  type Connection,
  ConnectionPool,
  type ConnectPlan,
  type Exchange,
  type Lost,
  planOf,
} from './connection.ts'
import { requestHead } from './request-head.ts'
import { ResponseReader } from './response-reader.ts'

/** The maximum number of connections per origin. Further requests wait for a connection. */
const MOST_CONNECTIONS = 256
/**
 * The time for which an idle connection is kept, because a new connection costs a TLS handshake. A server that closes
 * connections earlier announces its time-out, or we notice the closed connection.
 */
const IDLE_MS = 55_000
/** The size of the pieces into which networks cut a long response. Each piece costs a turn of the event loop. */
const PIECE_BYTES = 1_024
const LEAST_PIECES = 4_096

const lookup = shareLookup()

export function rawClient(tls: ClientTls | undefined, maxResponseBytes: number): HttpClient {
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
    const origin = new Origin(pool, url.origin, planOf(url, { ...tls, lookup }))
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
  readonly #pool: ConnectionPool
  readonly #name: string
  readonly #plan: ConnectPlan
  readonly #waiting = new Set<Call>()
  #open = 0

  constructor(pool: ConnectionPool, name: string, plan: ConnectPlan) {
    this.#pool = pool
    this.#name = name
    this.#plan = plan
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
    this.#open++
    return this.#pool.open(this.#name, this.#plan)
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
    this.text = textOf(request)
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
      const { status, headers } = this.reader
      this.#resolve({ kind: 'answer', status: status ?? 0, headers, text: this.reader.text() })
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

function textOf({ method, url, headers = {}, body = '' }: HttpRequest): string {
  const hasBody = body !== '' || (method !== 'GET' && method !== 'DELETE')
  const length = hasBody ? { 'content-length': String(Buffer.byteLength(body)) } : {}
  return requestHead(method, url, { ...headers, ...length }) + body
}
