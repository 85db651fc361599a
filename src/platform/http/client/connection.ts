// A connection that carries one HTTP/1.1 exchange at a time, and the pool of such connections.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { alertsBeforeReading, ProxyFault, refusesOurCertificate, whyBroken } from './connection-faults.ts'
import { type Reading, ResponseReader } from './response-reader.ts'
import type { Route, Tunnel } from './route.ts'

/** One request and its response. */
export type Exchange = {
  /** The head and the body of the request, without the pieces in `later`. */
  readonly text: string
  readonly later?: LaterPieces | undefined
  readonly reader: ResponseReader
  /** Called once. Never called after the exchange is given up. `lost` is undefined if the response is complete. */
  ended(lost: Lost | undefined): void
}

/** The pieces of a body that are sent after the text, with a pause before each piece. */
export type LaterPieces = { readonly pieces: readonly string[]; readonly pauseMs: number }

export type Lost = {
  readonly error: Error
  /** False if no byte of the request was sent, or if the server certainly did not read the request. */
  readonly sent: boolean
  /** True if the connection had carried another exchange before. */
  readonly reused: boolean
  /** True if a byte of the response was received. */
  readonly answered: boolean
}

type Owner = {
  readonly free: (connection: Connection) => void
  readonly closed: (connection: Connection) => void
}

/** The size of the buffer for responses, which are short. */
const READ_BYTES = 4_096
const TUNNEL_OPENED = 200
/** The status with which a proxy refuses our credentials. */
export const PROXY_REFUSES_US = 407

export class Connection {
  readonly origin: string
  readonly #owner: Owner
  readonly #route: Route
  /** First the connection to the host or proxy. Once a tunnel is open, the TLS connection inside it. */
  #socket: Socket
  #exchange: Exchange | undefined
  /** Requests are sent only on an open connection: with TLS, the host's certificate has been verified by then. */
  #stage: 'connecting' | 'opening the tunnel' | 'securing the tunnel' | 'open' = 'connecting'
  /** The tunnel that the proxy is asked for, and the reader of its response. */
  #asked: { readonly tunnel: Tunnel; readonly reader: ResponseReader } | undefined
  #alertsBeforeReading = false
  #answered = false
  /** True if the system accepted no byte of the request. */
  #isUnwritten = false
  /** False while pieces of the body wait for their time. */
  #isWhole = true
  #used = 0
  /** The time until which the connection may be reused while it is idle. */
  keptUntilMs = 0

  constructor(route: Route, origin: string, owner: Owner) {
    this.origin = origin
    this.#owner = owner
    this.#route = route
    const { connect, ready, tunnel } = route
    this.#socket = this.#watched(tunnel === undefined ? connect(this.#onRead()) : connect())
    this.#socket.once(ready, () => (tunnel === undefined ? this.#opened() : this.#askForTunnel(tunnel)))
  }

  /** True once the connection is ready. Before that, no byte of a request can have been sent. */
  get isOpen(): boolean {
    return this.#stage === 'open'
  }

  /**
   * False as soon as the socket cannot be written to. The owner may be notified only later that the connection has
   * ended. Bytes that arrived but are not read yet do not show here: if a server sends a response without a request, and
   * our next request follows within the same turn, that response is taken for the answer. Adapters therefore compare the
   * amount that an answer echoes.
   */
  get isUsable(): boolean {
    return this.#socket.writable
  }

  /** Sends the request as soon as the connection is open. */
  send(exchange: Exchange): void {
    this.#exchange = exchange
    this.#answered = false
    this.#used++
    this.#socket.ref()
    if (this.isOpen) this.#write(exchange)
  }

  /** Abandons the exchange. Does nothing if the exchange has ended. */
  giveUp(exchange: Exchange): void {
    if (this.#exchange !== exchange) return
    this.#exchange = undefined
    this.destroy()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** Returns where a plain socket reads to. A TLS socket emits its own pieces instead. */
  #onRead() {
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
    const callback = (bytes: number) => {
      this.#read(buffer.subarray(0, bytes))
      return true
    }
    return { buffer, callback }
  }

  /** Listens to the socket until TLS inside the tunnel takes its place. */
  #watched(socket: Socket): Socket {
    const isCurrent = () => this.#socket === socket
    socket.on('data', (piece: Buffer) => isCurrent() && this.#read(piece))
    socket.on('end', () => isCurrent() && this.#finished())
    socket.on('error', (error) => isCurrent() && this.#lost(error))
    socket.on('close', () => {
      if (!isCurrent()) return
      this.#lost(new Error('the connection was closed before the response was complete'))
      this.#owner.closed(this)
    })
    return socket
  }

  #askForTunnel(tunnel: Tunnel): void {
    this.#stage = 'opening the tunnel'
    this.#asked = { tunnel, reader: new ResponseReader(0) }
    this.#socket.write(tunnel.request)
  }

  /** Reads the head of the proxy's response. The bytes after it are dropped: in TLS the client sends first. */
  #readTunnel(tunnel: Tunnel, reader: ResponseReader, piece: Buffer): void {
    const reading = reader.push(piece)
    const { status } = reader
    if (status === TUNNEL_OPENED) {
      this.#asked = undefined
      this.#stage = 'securing the tunnel'
      this.#socket = this.#watched(tunnel.secure(this.#socket))
      this.#socket.once('secureConnect', () => this.#opened())
    } else if (status === PROXY_REFUSES_US) this.#lost(new ProxyFault('did not accept our credentials'))
    else if (status !== undefined || reading !== undefined)
      this.#lost(new ProxyFault('refused to connect to it'))
  }

  #opened(): void {
    this.#stage = 'open'
    this.#alertsBeforeReading = alertsBeforeReading(this.#socket)
    if (this.#exchange !== undefined) this.#write(this.#exchange)
  }

  #write(exchange: Exchange): void {
    this.#socket.write(exchange.text)
    // A write that fails immediately has sent nothing. A later failure may come after a part was sent.
    this.#isUnwritten = this.#socket.errored !== null
    this.#isWhole = exchange.later === undefined
    if (exchange.later !== undefined) void this.#writeLater(exchange, exchange.later)
  }

  async #writeLater(exchange: Exchange, { pieces, pauseMs }: LaterPieces): Promise<void> {
    for (const piece of pieces) {
      await sleep(pauseMs)
      if (this.#exchange !== exchange) return
      this.#socket.write(piece)
    }
    this.#isWhole = true
  }

  #read(piece: Buffer): void {
    const asked = this.#asked
    const exchange = this.#exchange
    if (asked !== undefined) {
      this.#readTunnel(asked.tunnel, asked.reader, piece)
    } else if (exchange !== undefined) {
      this.#answered = true
      this.#handle(exchange.reader.push(piece))
    } else {
      // Unrequested bytes could be mistaken for the response to the next request.
      this.destroy()
    }
  }

  #finished(): void {
    const exchange = this.#exchange
    if (exchange !== undefined && this.#answered) this.#handle(exchange.reader.ended())
    else this.#lost(new Error('the connection was closed without a response'))
  }

  #handle(reading: Reading | undefined): void {
    if (reading?.kind === 'broken') this.#lost(new Error(reading.why))
    if (reading?.kind === 'done') this.#done(reading.reusable)
  }

  #done(reusable: boolean): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    this.keptUntilMs = performance.now() + (exchange?.reader.keptMs ?? 0)
    // An idle connection must not keep a process alive, for example the process of a command.
    this.#socket.unref()
    // If bytes of this request are still unsent, the server would read the next request as the rest of this one.
    if (reusable && this.#isWhole && this.#socket.writableLength === 0) this.#owner.free(this)
    else this.destroy()
    exchange?.ended(undefined)
  }

  #lost(error: Error): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    this.destroy()
    const [reused, answered] = [this.#used > 1, this.#answered]
    exchange?.ended({ error: this.#blamed(error), sent: this.#isSent(error), reused, answered })
  }

  /** Until the tunnel is open, or a plain request is sent, every fault is a fault of the proxy. */
  #blamed(error: Error): Error {
    if (error instanceof ProxyFault || !this.#route.isProxied) return error
    if (this.#stage === 'connecting') return new ProxyFault(`cannot be reached: ${whyBroken(error)}`)
    if (this.#stage === 'opening the tunnel') return new ProxyFault('refused to connect to it')
    const isOfForwarder = this.#route.forwarder !== undefined && refusesOurCertificate(error)
    return isOfForwarder ? new ProxyFault('did not accept our credentials') : error
  }

  #isSent(error: Error): boolean {
    const isFirst = this.#used === 1 && !this.#answered
    const isRefused = isFirst && this.#alertsBeforeReading && refusesOurCertificate(error)
    return this.isOpen && !this.#isUnwritten && !isRefused
  }
}

// The pool of open connections, by origin. The connection that became free last is reused first. A connection that has
// been idle for too long is closed.

const SWEEP_MS = 500

export type PoolOptions = {
  readonly idleMs: number
  /** The maximum number of idle connections per origin. */
  readonly mostIdle: number
  readonly freed?: (origin: string) => void
  readonly closed?: (origin: string) => void
}

export class ConnectionPool {
  readonly #options: PoolOptions
  readonly #idle = new Map<string, Connection[]>()
  readonly #open = new Set<Connection>()
  readonly #owner = {
    free: (connection: Connection) => this.#keep(connection),
    closed: (connection: Connection) => this.#closed(connection),
  }
  #sweeping: NodeJS.Timeout | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  takeIdle(origin: string): Connection | undefined {
    const list = this.#idle.get(origin)
    for (let one = list?.pop(); one !== undefined; one = list?.pop()) {
      if (one.isUsable && one.keptUntilMs >= performance.now()) return one
      one.destroy()
    }
    return undefined
  }

  open(origin: string, route: Route): Connection {
    const connection = new Connection(route, origin, this.#owner)
    this.#open.add(connection)
    return connection
  }

  close(): void {
    clearInterval(this.#sweeping)
    for (const connection of this.#open) connection.destroy()
  }

  #keep(connection: Connection): void {
    const { origin } = connection
    const list = this.#idle.get(origin) ?? []
    if (list.length >= this.#options.mostIdle) {
      connection.destroy()
      return
    }
    this.#idle.set(origin, list)
    connection.keptUntilMs = Math.min(connection.keptUntilMs, performance.now() + this.#options.idleMs)
    list.push(connection)
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
    this.#options.freed?.(origin)
  }

  #closed(connection: Connection): void {
    if (!this.#open.delete(connection)) return
    const { origin } = connection
    const list = this.#idle.get(origin)
    const at = list?.indexOf(connection) ?? -1
    if (at >= 0) list?.splice(at, 1)
    if (list?.length === 0) this.#idle.delete(origin)
    this.#options.closed?.(origin)
  }

  #sweep(): void {
    const now = performance.now()
    for (const list of this.#idle.values())
      for (const one of [...list]) if (one.keptUntilMs < now) one.destroy()
    if (this.#idle.size > 0) return
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }
}
