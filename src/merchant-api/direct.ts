// Connections on their way to Node's HTTP server. As long as requests come whole and plain they are taken and answered
// here, which costs half as much; with the first that does not, the connection goes to Node with all its bytes, and stays
// there. Nothing is refused here, so there is one place that says what is not HTTP.
import type { Socket } from 'node:net'
import type { Connections } from './connections.ts'
import { readWhole, type WholeRequest } from './read-whole.ts'
import { type Answering, answerClientError, type Message, messageText } from './transport.ts'

export type DirectOptions = {
  /** False: the request is for someone else. */
  readonly take: (request: WholeRequest, socket: Socket, answering: Answering) => boolean
  readonly toNode: (socket: Socket) => void
  readonly isListening: () => boolean
  readonly connections: Connections
}

/** As long as Node waits for a next request. */
export const KEEP_ALIVE_MS = 72_000
const KEEP_ALIVE = `keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}`

export class DirectConnections {
  readonly #options: DirectOptions
  readonly #open = new Set<DirectConnection>()

  constructor(options: DirectOptions) {
    this.#options = options
  }

  add(socket: Socket): void {
    const connection = new DirectConnection(socket, this.#options, () => this.#open.delete(connection))
    this.#open.add(connection)
  }

  closeIdle(): void {
    for (const connection of this.#open) if (!connection.isBusy) connection.cut()
  }

  closeAll(): void {
    for (const connection of this.#open) connection.cut()
  }
}

class DirectConnection implements Answering {
  readonly #socket: Socket
  readonly #options: DirectOptions
  readonly #left: () => void
  #answered: (() => void) | undefined
  /** What came behind a request that is not answered yet. */
  #behind: Buffer[] = []
  #isFirst = true
  /** The answer is made, and waits for the client to read it or to close. */
  #isAnswering = false
  isBusy = false

  constructor(socket: Socket, options: DirectOptions, left: () => void) {
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
    if (request !== undefined && this.#options.take(request, this.#socket, this)) return
    this.#toNode(chunk)
  }

  readonly #ended = (): void => {
    this.#socket.end()
  }

  /** Nothing came or went for as long as the timer runs. A request that is worked on has no deadline here. */
  readonly #waited = (): void => {
    const isFirst = this.#isFirst && !this.isBusy
    if (isFirst) this.#endLate()
    else if (this.#isAnswering || !this.isBusy) this.#socket.destroy()
  }

  #endLate(): void {
    this.isBusy = true
    this.#awaitReader()
    answerClientError({ name: '', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, this.#socket)
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
    // What is broken is closed next.
    ['error', () => {}],
  ] as const

  whenAnswered(answered: () => void): void {
    this.#answered = answered
  }

  answer(message: Message, requestId: string, isLast: boolean): void {
    const isEnd = isLast || (this.#behind.length === 0 && !this.#options.isListening())
    const text = messageText(message, requestId, isEnd ? 'close' : KEEP_ALIVE)
    if (isEnd) this.#socket.end(text, this.#done)
    else this.#socket.write(text, this.#written)
    if (isEnd || this.#socket.writableLength > 0) this.#awaitReader()
  }

  /** Progress restarts the timer. */
  #awaitReader(): void {
    this.#isAnswering = true
    this.#socket.setTimeout(this.#options.connections.answerMs)
  }

  readonly #done = (): void => {
    this.#answered?.()
    this.#answered = undefined
  }

  /** Back-pressure: the next request is read once the client has taken this answer. */
  readonly #written = (): void => {
    this.#done()
    if (this.#socket.destroyed) return
    if (this.#isFirst || this.#isAnswering) this.#socket.setTimeout(KEEP_ALIVE_MS)
    this.#isFirst = false
    this.#isAnswering = false
    this.isBusy = false
    if (this.#behind.length > 0) this.#toNode(Buffer.concat(this.#behind))
  }

  /** It reads these bytes first. */
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
