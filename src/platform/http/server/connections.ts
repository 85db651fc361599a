// Limits the open connections of a process: their number in total, their number per network, the requests that a client
// sends ahead of their responses, and the time of each step.
//
// - A head must arrive within `headMs`. Node checks this limit, and the raw server checks it for connections that send
//   nothing.
// - A body must arrive within `bodyMs`, an upload within `uploadBodyMs`. One periodic check serves all connections,
//   because a timer for each request would slow down every payment.
// - A response must make progress every `answerMs` while bytes wait for the client. A response that is not ready yet
//   has no deadline. A stream has no deadline while the client reads it.
import type { ServerResponse } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { addressList, isListed, networkOf } from '../addresses.ts'
import { type RenderBroken, refuseBroken } from './response.ts'

export type ConnectionOptions = {
  readonly most: number
  /** The limit for one IPv4 address, or for one /64 in IPv6. */
  readonly mostOfNetwork: number
  /** The addresses to which `mostOfNetwork` does not apply, because many clients share a proxy's address. */
  readonly trustedProxies: readonly string[]
  /** The maximum number of requests of a connection whose responses are incomplete (pipelining). */
  readonly mostPending: number
  readonly headMs: number
  readonly bodyMs: number
  readonly uploadBodyMs: number
  readonly answerMs: number
  /** The value of `answerMs` while the server closes, so that a client that reads nothing does not delay the stop. */
  readonly closingAnswerMs: number
  readonly checkMs: number
}

const usual: ConnectionOptions = {
  most: 10_000,
  mostOfNetwork: Number.POSITIVE_INFINITY,
  trustedProxies: [],
  mostPending: 8,
  headMs: 20_000,
  bodyMs: 30_000,
  uploadBodyMs: 120_000,
  answerMs: 30_000,
  closingAnswerMs: 2_000,
  checkMs: 1_000,
}

type Connection = {
  readonly network: string | undefined
  /** True if Node's server reads the connection, false if the raw server reads it. */
  isNodes: boolean
  /** The latest response of Node's server, and the deadline for the body of its request. */
  response: ServerResponse | undefined
  bodyUntilMs: number
  /** The number of requests at Node's server whose response is incomplete. */
  pending: number
  /** True if the client pipelined too many requests. The connection ends after the responses to the first requests. */
  isOver: boolean
}

export class Connections {
  readonly options: ConnectionOptions
  /** True if each connection ends with its next response. */
  isClosing = false
  readonly #renderBroken: RenderBroken
  readonly #proxies: BlockList
  readonly #open = new Map<Socket, Connection>()
  readonly #ofNetwork = new Map<string, number>()
  #answerMs: number
  #checking: NodeJS.Timeout | undefined

  constructor(renderBroken: RenderBroken, options: Partial<ConnectionOptions> = {}) {
    this.#renderBroken = renderBroken
    this.options = { ...usual, ...options }
    this.#proxies = addressList(this.options.trustedProxies)
    this.#answerMs = this.options.answerMs
  }

  get count(): number {
    return this.#open.size
  }

  get answerMs(): number {
    return this.#answerMs
  }

  /** Counts a new connection. If there are too many, closes it without a response and returns false. */
  admit(socket: Socket): boolean {
    const network = this.#countedNetwork(socket.remoteAddress ?? '')
    const ofNetwork = network === undefined ? 0 : (this.#ofNetwork.get(network) ?? 0)
    if (this.#open.size >= this.options.most || ofNetwork >= this.options.mostOfNetwork) {
      socket.destroy()
      return false
    }
    if (network !== undefined) this.#ofNetwork.set(network, ofNetwork + 1)
    this.#open.set(socket, {
      network,
      isNodes: false,
      response: undefined,
      bodyUntilMs: 0,
      pending: 0,
      isOver: false,
    })
    socket.once('close', () => this.#left(socket))
    this.#checking ??= setInterval(() => this.#checkBodies(), this.options.checkMs).unref()
    return true
  }

  #countedNetwork(address: string): string | undefined {
    const isCounted = this.options.mostOfNetwork !== Number.POSITIVE_INFINITY
    return isCounted && !isListed(this.#proxies, address) ? networkOf(address) : undefined
  }

  #left(socket: Socket): void {
    const network = this.#open.get(socket)?.network
    this.#open.delete(socket)
    if (network !== undefined) {
      const others = (this.#ofNetwork.get(network) ?? 1) - 1
      if (others === 0) this.#ofNetwork.delete(network)
      else this.#ofNetwork.set(network, others)
    }
    if (this.#open.size > 0) return
    clearInterval(this.#checking)
    this.#checking = undefined
  }

  handedOver(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection !== undefined) connection.isNodes = true
  }

  /**
   * Closes idle connections of Node's server. Node's own method would also close connections whose client still reads a
   * response.
   */
  closeIdle(): void {
    for (const [socket, { isNodes, response }] of this.#open)
      if (isNodes && (response === undefined || response.closed)) socket.destroy()
  }

  /**
   * Called when Node's server has read the head of a request. Returns false if the client has pipelined too many
   * requests. In that case the client gets the responses to its first requests, and we stop reading. Without this
   * limit, Node would read all requests of a packet, which may be a thousand.
   */
  began(socket: Socket, response: ServerResponse, isUpload: boolean): boolean {
    const connection = this.#open.get(socket)
    if (connection === undefined) return true
    if (connection.isOver || connection.pending === this.options.mostPending) {
      endAfterResponses(socket, connection)
      return false
    }
    const { bodyMs, uploadBodyMs } = this.options
    connection.pending++
    response.once('close', () => connection.pending--)
    connection.response = response
    connection.bodyUntilMs = performance.now() + (isUpload ? uploadBodyMs : bodyMs)
    return true
  }

  #checkBodies(): void {
    const now = performance.now()
    for (const [socket, connection] of this.#open) {
      const { response, bodyUntilMs } = connection
      if (response === undefined) continue
      // The deadline stays after the response, because the rest of the body is still read and dropped.
      if (!response.req.complete && now > bodyUntilMs) this.#endLate(socket)
      else if (response.req.complete && response.closed) connection.response = undefined
    }
  }

  #endLate(socket: Socket): void {
    this.brokeOff(LATE, socket)
    socket.destroySoon()
  }

  /**
   * Called when a connection of Node's server sends invalid HTTP or is too late. A client that waits for another
   * response gets no error, because the client could mistake the error for the response to a payment that was made.
   */
  brokeOff(error: NodeJS.ErrnoException, socket: Socket): void {
    const { response, pending = 0 } = this.#open.get(socket) ?? {}
    const isPartial = response?.req.complete === false
    if (isPartial && (response.headersSent || pending > 1)) socket.destroy()
    else if (!isPartial && response !== undefined && pending > 0) response.shouldKeepAlive = false
    else this.refuse(error, socket)
  }

  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    refuseBroken(error, socket, this.#renderBroken)
  }

  /** Called when the timer of an inactive connection of Node's server has run out. */
  waited(socket: Socket): void {
    const response = this.#open.get(socket)?.response
    const isUnderWay = response !== undefined && !response.closed
    if (isUnderWay && socket.writableLength === 0) socket.setTimeout(this.#answerMs)
    else socket.destroy()
  }

  /** Called when the server closes. Shortens the deadline for responses. */
  hurry(): void {
    this.isClosing = true
    this.#answerMs = this.options.closingAnswerMs
    for (const socket of this.#open.keys()) socket.setTimeout(this.#answerMs)
  }
}

export const LATE: NodeJS.ErrnoException = { name: '', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' }

function endAfterResponses(socket: Socket, connection: Connection): void {
  connection.isOver = true
  if (connection.response !== undefined) connection.response.shouldKeepAlive = false
  socket.pause()
}
