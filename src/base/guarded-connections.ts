// Connections that post and are kept for the next post, made only where a guard lets them. The part of HTTP/1.1 that this
// takes is small, and Node's own client spends most of its time on the rest. Settings of proxies in the environment are
// not read: they would take the connection elsewhere, past the guard. Certificates are always verified.
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type AddressGuard, AddressRefused } from './address-guard.ts'
import { AnswerReader, type Reading } from './answer-reader.ts'

export type Post = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly mostAnswerBytes: number
  /** Called once, unless it is cut before. */
  readonly ended: (end: PostEnd) => void
}

export type PostEnd = {
  /** Undefined when the answer came in whole. */
  readonly error: Error | undefined
  /** The connection had been used before and was closed before a byte came: what was sent went nowhere. */
  readonly stale: boolean
}

export type Posting = {
  /** Of the answer, what came so far. */
  status(): number | undefined
  text(): string
  /** Waits no longer: the connection is closed, and `ended` is not called. */
  cut(): void
}

export type GuardedConnections = {
  /** Throws AddressRefused when the address is one that nothing may be sent to. */
  post(post: Post): Posting
  close(): void
}

/** Idle connections kept per host. Servers cut theirs after five seconds or more; ours end before. */
const MOST_IDLE = 512
const IDLE_MS = 4_000
const SWEEP_MS = 500
/** An acknowledgement is a word: what comes is read into this, piece by piece. */
const READ_BYTES = 4_096

/** `ca` stands for the system's authorities, in tests. */
export function createGuardedConnections(guard: AddressGuard, ca?: string): GuardedConnections {
  const idle = new Map<string, Connection[]>()
  const open = new Set<Connection>()
  let sweeping: NodeJS.Timeout | undefined

  function take(url: URL): Connection {
    const kept = idle.get(url.origin)?.pop()
    if (kept !== undefined) return kept
    const connection = new Connection(connect(guard, url, ca), url.origin, {
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
    post: (post) => take(post.url).send(post),
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

type Exchange = { readonly post: Post; readonly reader: AnswerReader; answered: boolean }

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

  send(post: Post): Posting {
    const reader = new AnswerReader(post.mostAnswerBytes)
    const exchange = { post, reader, answered: false }
    this.#exchange = exchange
    this.#used++
    this.#socket.write(requestText(post))
    return {
      status: () => reader.status,
      text: () => reader.text(),
      cut: () => {
        if (this.#exchange !== exchange) return
        this.#exchange = undefined
        this.destroy()
      },
    }
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
    const ended = this.#exchange?.post.ended
    this.#exchange = undefined
    this.idleSinceMs = performance.now()
    if (kept) this.#owner.free(this)
    else this.destroy()
    ended?.({ error: undefined, stale: false })
  }

  #lost(error: Error): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    this.destroy()
    exchange?.post.ended({ error, stale: this.#used > 1 && !exchange.answered })
  }
}

function requestText({ url, headers, body }: Post): string {
  let head = `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  if (url.username !== '' || url.password !== '') head += `authorization: ${basic(url)}\r\n`
  return `${head}\r\n${body}`
}

function basic({ username, password }: URL): string {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(text).toString('base64')}`
}
