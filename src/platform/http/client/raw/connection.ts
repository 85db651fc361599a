// A connection that carries one HTTP/1.1 exchange at a time.
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { alertsBeforeReading, refusesOurCertificate } from '../connection-faults.ts'
import type { Reading, ResponseReader } from './response-reader.ts'

/** One request and its response. */
export type Exchange = {
  /** The head and the body of the request. */
  readonly text: string
  readonly reader: ResponseReader
  /** Called once. Never called after the exchange is given up. `lost` is undefined if the response is complete. */
  ended(lost: Lost | undefined): void
}

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

type OnRead = { readonly buffer: Buffer; readonly callback: (bytes: number, buffer: Uint8Array) => boolean }
export type ConnectPlan = {
  readonly connect: (onread: OnRead) => Socket
  /** The event after which a request can be sent. */
  readonly ready: 'connect' | 'secureConnect'
}

export type PlanOptions = { readonly lookup?: LookupFunction } & Pick<
  ConnectionOptions,
  'ca' | 'cert' | 'key'
>

/** Returns how to connect to the host of this URL. `lookup` resolves names, and is not called for IP addresses. */
export function planOf(url: URL, { lookup, ...tls }: PlanOptions): ConnectPlan {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isTls = url.protocol === 'https:'
  const port = Number(url.port) || (isTls ? 443 : 80)
  const options = { host, port, noDelay: true, ...(lookup && { lookup }) }
  if (!isTls) return { connect: (onread) => connectPlain({ ...options, onread }), ready: 'connect' }
  const name = isIP(host) === 0 ? { servername: host } : {}
  const connect = () => connectTls({ ...options, ...name, ...tls, rejectUnauthorized: true })
  return { connect, ready: 'secureConnect' }
}

export class Connection {
  readonly origin: string
  readonly #owner: Owner
  readonly #socket: Socket
  #exchange: Exchange | undefined
  #isOpen = false
  #alertsBeforeReading = false
  #answered = false
  /** True if the system accepted no byte of the request. */
  #isUnwritten = false
  #used = 0
  /** The time until which the connection may be reused while it is idle. */
  keptUntilMs = 0

  constructor(plan: ConnectPlan, origin: string, owner: Owner) {
    this.origin = origin
    this.#owner = owner
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
    this.#socket = plan.connect({
      buffer,
      callback: (bytes) => {
        this.#read(buffer.subarray(0, bytes))
        return true
      },
    })
    // This listener runs before Node's own listener, which sends the bytes that were written before the connection
    // opened.
    this.#socket.once(plan.ready, () => {
      this.#isOpen = true
      this.#alertsBeforeReading = alertsBeforeReading(this.#socket)
    })
    // A TLS socket emits its own pieces. A plain socket reads into the buffer above and never emits this event.
    this.#socket.on('data', (piece: Buffer) => this.#read(piece))
    this.#socket.on('end', () => this.#finished())
    this.#socket.on('error', (error) => this.#lost(error))
    this.#socket.on('close', () => {
      this.#lost(new Error('the connection was closed before the response was complete'))
      owner.closed(this)
    })
  }

  /** True once the connection is ready. Before that, no byte can have been sent. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /**
   * False as soon as the socket cannot be written to. The owner may be notified only later that the connection has
   * ended.
   */
  get isUsable(): boolean {
    return this.#socket.writable
  }

  send(exchange: Exchange): void {
    this.#exchange = exchange
    this.#answered = false
    this.#used++
    this.#socket.ref()
    this.#socket.write(exchange.text)
    // A write that fails immediately has sent nothing. A later failure may come after a part was sent.
    this.#isUnwritten = this.#socket.errored !== null
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

  #read(piece: Buffer): void {
    const exchange = this.#exchange
    if (exchange === undefined) {
      // Unrequested bytes could be mistaken for the response to the next request.
      this.destroy()
      return
    }
    this.#answered = true
    this.#handle(exchange.reader.push(piece))
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
    if (reusable && this.#socket.writableLength === 0) this.#owner.free(this)
    else this.destroy()
    exchange?.ended(undefined)
  }

  #lost(error: Error): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    this.destroy()
    exchange?.ended({ error, sent: this.#isSent(error), reused: this.#used > 1, answered: this.#answered })
  }

  #isSent(error: Error): boolean {
    const isFirst = this.#used === 1 && !this.#answered
    const isRefused = isFirst && this.#alertsBeforeReading && refusesOurCertificate(error)
    return this.#isOpen && !this.#isUnwritten && !isRefused
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

  open(origin: string, plan: ConnectPlan): Connection {
    const connection = new Connection(plan, origin, this.#owner)
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
