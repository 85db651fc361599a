// Posts without Node's HTTP client, which spends most of its time on parts of HTTP/1.1 that a post of one text does not
// need. The plain implementation is ../plain-posting.ts. docs/performance.md, "What each fast path saves", has the gain.
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { AddressGuard } from '../address-guard.ts'
import { IDLE_MS, MOST_IDLE, type Post, type Posting, type PostUnderWay, type Seen } from '../posting.ts'
import { type Reading, ResponseReader } from './response-reader.ts'

const SWEEP_MS = 500
/** Responses are short. They are read piece by piece into a buffer of this size. */
const READ_BYTES = 4_096

export function rawPosting({ lookup }: AddressGuard, ca?: string): Posting {
  const idle = new Map<string, Connection[]>()
  const open = new Set<Connection>()
  let sweeping: NodeJS.Timeout | undefined

  function take(url: URL, origin: string): Connection {
    const reused = idle.get(origin)?.pop()
    if (reused !== undefined) return reused
    const connection = new Connection(connect(lookup, url, ca), origin, {
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

  /** Closes connections that were idle for too long. */
  function sweep(): void {
    const since = performance.now() - IDLE_MS
    for (const list of idle.values()) for (const one of [...list]) if (one.idleSinceMs < since) one.destroy()
    if (idle.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  return {
    post(post) {
      return take(post.url, post.url.origin).send(post)
    },
    close() {
      clearInterval(sweeping)
      for (const connection of open) connection.destroy()
    },
  }
}

/** `lookup` is called only for host names: `openPosting` has already checked a literal address. */
function connect(lookup: AddressGuard['lookup'], url: URL, ca: string | undefined): ConnectPlan {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAddress = isIP(host) !== 0
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

class Exchange implements PostUnderWay {
  readonly #connection: Connection
  readonly post: Post
  readonly reader: ResponseReader
  answered = false

  constructor(connection: Connection, post: Post) {
    this.#connection = connection
    this.post = post
    this.reader = new ResponseReader(post.mostResponseBytes)
  }

  cut(): Seen {
    this.#connection.giveUp(this)
    return { status: this.reader.status, text: this.reader.text() }
  }

  end(error: Error | undefined, stale: boolean): void {
    this.post.ended({ status: this.reader.status, text: this.reader.text(), error, stale })
  }
}

/** Carries one exchange at a time. */
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
      this.#lost(new Error('the connection was closed before the response was complete'))
      owner.closed(this)
    })
  }

  send(post: Post): PostUnderWay {
    const exchange = new Exchange(this, post)
    this.#exchange = exchange
    this.#used++
    this.#socket.write(requestText(post))
    return exchange
  }

  /** Abandons this exchange if it has not ended. */
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
      // Unrequested bytes could be mistaken for the response to the next post.
      this.destroy()
      return
    }
    exchange.answered = true
    this.#handle(exchange.reader.push(piece))
  }

  #finished(): void {
    const exchange = this.#exchange
    if (exchange?.answered) this.#handle(exchange.reader.ended())
    else this.#lost(new Error('the connection was closed without a response'))
  }

  #handle(reading: Reading | undefined): void {
    if (reading?.kind === 'broken') this.#lost(new Error(reading.why))
    if (reading?.kind === 'done') this.#done(reading.reusable)
  }

  #done(reusable: boolean): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    this.idleSinceMs = performance.now()
    if (reusable) this.#owner.free(this)
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

function requestText({ url, headers, body }: Post): string {
  let text = headOf(url)
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`
  return `${text}\r\n${body}`
}

function basic({ username, password }: URL): string {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(text).toString('base64')}`
}
