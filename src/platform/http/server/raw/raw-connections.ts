// The raw server reads requests that arrive complete and in plain HTTP, and writes their responses, without Node's HTTP
// server. At the first request of another kind, or one that was sent ahead of an earlier response, the connection moves
// to Node's server for good, with the bytes of that request. The raw server refuses only connections that send nothing,
// so Node alone decides what is invalid HTTP. The plain implementation is ../server.ts without the raw server.
// docs/performance.md, "What each fast path saves", says how much time is saved.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type Connections, LATE } from '../connections.ts'
import type { Message, ResponseWriter } from '../response.ts'
import { readWhole, type WholeRequest } from './read-whole.ts'

/** Takes a complete request. Returns false if the request is for another part of the server. */
export type TakeWhole = (request: WholeRequest, socket: Socket, response: ResponseWriter) => boolean

export type RawOptions = {
  readonly takeWhole: TakeWhole
  readonly toNode: (socket: Socket) => void
  readonly connections: Connections
}

/** The time for which the raw server and Node's server wait for the next request. */
export const KEEP_ALIVE_MS = 72_000
const KEEP_ALIVE = `keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}`

export class RawConnections {
  readonly #options: RawOptions
  readonly #open = new Set<RawConnection>()

  constructor(options: RawOptions) {
    this.#options = options
  }

  add(socket: Socket): void {
    const connection = new RawConnection(socket, this.#options, () => this.#open.delete(connection))
    this.#open.add(connection)
  }

  closeIdle(): void {
    for (const connection of this.#open) if (!connection.isBusy) connection.cut()
  }

  closeAll(): void {
    for (const connection of this.#open) connection.cut()
  }
}

class RawConnection implements ResponseWriter {
  readonly #socket: Socket
  readonly #options: RawOptions
  readonly #left: () => void
  #whenDone: (() => void) | undefined
  /** Bytes that arrived while the response to an earlier request was incomplete. */
  #behind: Buffer[] = []
  #isFirst = true
  /** True while a written response waits for the client to read it or to close the connection. */
  #isSending = false
  isBusy = false

  constructor(socket: Socket, options: RawOptions, left: () => void) {
    this.#socket = socket
    this.#options = options
    this.#left = left
    socket.setTimeout(options.connections.options.headMs)
    for (const [event, listener] of this.#listeners) socket.on(event, listener)
  }

  readonly #data = (chunk: Buffer): void => {
    if (this.isBusy) {
      this.#behind.push(chunk)
      this.#socket.pause()
      return
    }
    const request = readWhole(chunk)
    this.isBusy = true
    if (request !== undefined && this.#options.takeWhole(request, this.#socket, this)) return
    this.#toNode(chunk)
  }

  readonly #ended = (): void => {
    this.#socket.end()
  }

  /** Called when the connection's timer ran out. A request in progress has no deadline here. */
  readonly #waited = (): void => {
    const isFirst = this.#isFirst && !this.isBusy
    if (isFirst) this.#endLate()
    else if (this.#isSending || !this.isBusy) this.#socket.destroy()
  }

  #endLate(): void {
    this.isBusy = true
    this.#awaitReader()
    this.#options.connections.refuse(LATE, this.#socket)
  }

  readonly #closed = (): void => {
    this.#left()
    this.#done()
  }

  readonly #listeners = [
    ['data', this.#data],
    ['end', this.#ended],
    ['timeout', this.#waited],
    ['close', this.#closed],
    ['error', () => {}],
  ] as const

  whenDone(done: () => void): void {
    this.#whenDone = done
  }

  write(message: Message, requestId: string, isLast: boolean): void {
    const isEnd = isLast || (this.#behind.length === 0 && this.#options.connections.isClosing)
    const text = messageText(message, requestId, isEnd ? 'close' : KEEP_ALIVE)
    if (isEnd) this.#socket.end(text, this.#done)
    else this.#socket.write(text, this.#written)
    if (isEnd || this.#socket.writableLength > 0) this.#awaitReader()
  }

  /**
   * Starts the timer of a client that must read the response. The timer restarts whenever the client reads some bytes.
   */
  #awaitReader(): void {
    this.#isSending = true
    this.#socket.setTimeout(this.#options.connections.answerMs)
  }

  readonly #done = (): void => {
    this.#whenDone?.()
    this.#whenDone = undefined
  }

  /** Called when the system has accepted the whole response. The next request is read only then (back-pressure). */
  readonly #written = (): void => {
    this.#done()
    if (this.#socket.destroyed) return
    if (this.#isFirst || this.#isSending) this.#socket.setTimeout(KEEP_ALIVE_MS)
    this.#isFirst = false
    this.#isSending = false
    this.isBusy = false
    if (this.#behind.length > 0) this.#toNode(Buffer.concat(this.#behind))
  }

  /** Hands the connection to Node's server, which reads these bytes first. */
  #toNode(bytes: Buffer): void {
    const socket = this.#socket
    for (const [event, listener] of this.#listeners) socket.off(event, listener)
    this.#left()
    this.#options.toNode(socket)
    socket.unshift(bytes)
    socket.resume()
  }

  cut(): void {
    this.#socket.destroy()
  }
}

/** Returns the response exactly as Node writes it. */
function messageText(message: Message, requestId: string, connection: string): string {
  const { status, type, text, headers } = message
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nx-request-id: ${requestId}`
  head += `\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(text)}`
  for (const name in headers) head += `\r\n${name}: ${headers[name]}`
  return `${head}\r\nDate: ${dateText()}\r\nConnection: ${connection}\r\n\r\n${text}`
}

let dateSecond = 0
let lastDate = ''

/** The date of a response. Every response needs the text, so it is made only once a second, as in Node's server. */
function dateText(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) lastDate = new Date(second * 1000).toUTCString()
  dateSecond = second
  return lastDate
}
