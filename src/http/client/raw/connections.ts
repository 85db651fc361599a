// Connections that post and are kept for the next post, made only where a guard lets them. The part of HTTP/1.1 that this
// takes is small, and Node's own client spends most of its time on the rest. Settings of proxies in the environment are
// not read: they would take the connection elsewhere, past the guard. Certificates are always verified.
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type AddressGuard, AddressRefused } from '../address-guard.ts'
import { AnswerReader, type Reading } from './response-reader.ts'

export type Post = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly mostAnswerBytes: number
  /** Called once, unless it is cut before. */
  readonly ended: (end: PostEnd) => void
}

/** Of an answer, what came. */
export type Seen = { readonly status: number | undefined; readonly text: string }

export type PostEnd = Seen & {
  /** Undefined when the answer came in whole. */
  readonly error: Error | undefined
  /** The connection had been used before and was closed before a byte came: what was sent went nowhere. */
  readonly stale: boolean
}

export type Posting = {
  /** Waits no longer: the connection is closed, and `ended` is not called. */
  cut(): Seen
}

export type GuardedConnections = {
  /** Throws AddressRefused when the address is one that nothing may be sent to. */
  post(post: Post): Posting
  close(): void
}

/** Idle connections kept per host. Servers cut theirs after five seconds or more; ours end before. */
const MOST_IDLE = 1_024
const IDLE_MS = 4_000
const SWEEP_MS = 500
/** An acknowledgement is a word: what comes is read into this, piece by piece. */
const READ_BYTES = 4_096

/** `ca` stands for the system's authorities, in tests. */
export function createGuardedConnections(guard: AddressGuard, ca?: string): GuardedConnections {
  const idle = new Map<string, Connection[]>()
  const open = new Set<Connection>()
  let sweeping: NodeJS.Timeout | undefined

  const routes = new WeakMap<URL, Route>()

  function routeOf(url: URL): Route {
    const known = routes.get(url)
    if (known !== undefined) return known
    const route = { origin: url.origin, head: headOf(url) }
    routes.set(url, route)
    return route
  }

  function take(url: URL, origin: string): Connection {
    const kept = idle.get(origin)?.pop()
    if (kept !== undefined) return kept
    const connection = new Connection(connect(guard, url, ca), origin, {
      free: keep,
      closed: (gone) => open.delete(gone) && forget(gone),
    })
    open.add(connection)
    return connection
  }

  function keep(connection: Connection): void {
    const list = idle.get(connection.origin) ?? []
    if (list.length >= MOST_IDLE) {
      connection.destroy()
      return
    }
    idle.set(connection.origin, list)
    list.push(connection)
    sweeping ??= setInterval(sweep, SWEEP_MS).unref()
  }

  function forget(connection: Connection): void {
    const list = idle.get(connection.origin)
    const at = list?.indexOf(connection) ?? -1
    if (at >= 0) list?.splice(at, 1)
    if (list?.length === 0) idle.delete(connection.origin)
  }

  /** The longest idle stand first. */
  function sweep(): void {
    const since = performance.now() - IDLE_MS
    for (const list of idle.values()) for (const one of [...list]) if (one.idleSinceMs < since) one.destroy()
    if (idle.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  return {
    post(post) {
      const { origin, head } = routeOf(post.url)
      return take(post.url, origin).send(post, head)
    },
    close() {
      clearInterval(sweeping)
      for (const connection of open) connection.destroy()
    },
  }
}

/** A name is checked when it is resolved, an address given as such here. */
function connect(guard: AddressGuard, url: URL, ca: string | undefined): ConnectPlan {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAddress = isIP(host) !== 0
  if (isAddress && !guard.mayReach(host))
    throw new AddressRefused(`${host} is private or reserved: nothing is sent there`)
  const { lookup } = guard
  const isTls = url.protocol === 'https:'
  const options = { host, port: Number(url.port) || (isTls ? 443 : 80), lookup, noDelay: true }
  if (!isTls) return (onread) => connectPlain({ ...options, onread })
  const name = isAddress ? {} : { servername: host }
  return () => connectTls({ ...options, ...name, rejectUnauthorized: true, ...(ca !== undefined && { ca }) })
}

type OnRead = { readonly buffer: Buffer; readonly callback: (bytes: number, buffer: Uint8Array) => boolean }
type ConnectPlan = (onread: OnRead) => Socket

type Owner = {
  readonly free: (connection: Connection) => void
  readonly closed: (connection: Connection) => void
}

/** What many posts to one address have in common. */
type Route = { readonly origin: string; readonly head: string }

class Exchange implements Posting {
  readonly #connection: Connection
  readonly post: Post
  readonly reader: AnswerReader
  answered = false

  constructor(connection: Connection, post: Post) {
    this.#connection = connection
    this.post = post
    this.reader = new AnswerReader(post.mostAnswerBytes)
  }

  cut(): Seen {
    this.#connection.giveUp(this)
    return { status: this.reader.status, text: this.reader.text() }
  }

  end(error: Error | undefined, stale: boolean): void {
    this.post.ended({ status: this.reader.status, text: this.reader.text(), error, stale })
  }
}

/** One exchange at a time. */
class Connection {
  readonly origin: string
  readonly #owner: Owner
  readonly #socket: Socket
  #exchange: Exchange | undefined
  #used = 0
  idleSinceMs = 0

  constructor(plan: ConnectPlan, origin: string, owner: Owner) {
    this.origin = origin
    this.#owner = owner
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
    this.#socket = plan({
      buffer,
      callback: (bytes) => {
        this.#read(buffer.subarray(0, bytes))
        return true
      },
    })
    // TLS hands out its own pieces; a plain socket never emits this.
    this.#socket.on('data', (piece: Buffer) => this.#read(piece))
    this.#socket.on('end', () => this.#finished())
    this.#socket.on('error', (error) => this.#lost(error))
    this.#socket.on('close', () => {
      this.#lost(new Error('the connection was closed before the answer was whole'))
      owner.closed(this)
    })
  }

  send(post: Post, head: string): Posting {
    const exchange = new Exchange(this, post)
    this.#exchange = exchange
    this.#used++
    this.#socket.write(requestText(head, post))
    return exchange
  }

  /** Gives up this exchange, if it is not over yet. */
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
      // Words that nobody asked for: whatever follows could be taken for another's answer.
      this.destroy()
      return
    }
    exchange.answered = true
    this.#judge(exchange.reader.push(piece))
  }

  #finished(): void {
    const exchange = this.#exchange
    if (exchange?.answered) this.#judge(exchange.reader.ended())
    else this.#lost(new Error('the connection was closed without an answer'))
  }

  #judge(reading: Reading | undefined): void {
    if (reading?.kind === 'broken') this.#lost(new Error(reading.why))
    if (reading?.kind === 'done') this.#done(reading.kept)
  }

  #done(kept: boolean): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    this.idleSinceMs = performance.now()
    if (kept) this.#owner.free(this)
    else this.destroy()
    exchange?.end(undefined, false)
  }

  #lost(error: Error): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    this.destroy()
    exchange?.end(error, this.#used > 1 && !exchange.answered)
  }
}

function headOf(url: URL): string {
  const head = `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`
  return url.username === '' && url.password === '' ? head : `${head}authorization: ${basic(url)}\r\n`
}

function requestText(head: string, { headers, body }: Post): string {
  let text = head
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`
  return `${text}\r\n${body}`
}

function basic({ username, password }: URL): string {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(text).toString('base64')}`
}
