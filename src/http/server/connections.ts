// The open connections of a process: how many there may be, in all and from one network, and how long each may take.
//
// - A head must come within `headMs`. Node checks it, and the raw way for connections that send nothing.
// - A body must come within `bodyMs`, an upload's within `uploadBodyMs`. All connections are checked now and then: a timer
//   for each request would cost every payment something.
// - A response must make progress every `answerMs`: bytes wait in the socket and the client reads none. A response that is
//   not ready yet has no deadline, and neither has a stream whose client reads.
import type { ServerResponse } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { addressList, isListed, networkOf } from '../addresses.ts'
import { type RenderBroken, refuseBroken } from './response.ts'

export type ConnectionOptions = {
  readonly most: number
  /** Those from one address, or from one /64 in IPv6. */
  readonly mostOfNetwork: number
  /** Many clients share the address of one of these. */
  readonly trustedProxies: readonly string[]
  /** Requests that a client may send before it gets their responses. */
  readonly mostPending: number
  readonly headMs: number
  readonly bodyMs: number
  readonly uploadBodyMs: number
  readonly answerMs: number
  /** The same while the server closes: a client that does not read must not delay that. */
  readonly closingAnswerMs: number
  /** Between two checks of all connections. */
  readonly lookMs: number
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
  lookMs: 1_000,
}

type Connection = {
  readonly network: string | undefined
  /** Node's server reads it; otherwise the raw way does. */
  isNodes: boolean
  /** The latest of Node's server, and when its request's body must have come. */
  response: ServerResponse | undefined
  bodyUntilMs: number
  /** Requests of Node's server whose response is not complete. */
  pending: number
  /** It sent too many requests ahead, and ends with the responses to those before. */
  isOver: boolean
}

export class Connections {
  readonly options: ConnectionOptions
  /** Connections end with their next response. */
  isClosing = false
  readonly #renderBroken: RenderBroken
  readonly #proxies: BlockList
  readonly #open = new Map<Socket, Connection>()
  readonly #ofNetwork = new Map<string, number>()
  #answerMs: number
  #looking: NodeJS.Timeout | undefined

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

  /** False: one too many, and closed. It gets no response: that would cost more than it is worth. */
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
    this.#looking ??= setInterval(() => this.#look(), this.options.lookMs).unref()
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
    clearInterval(this.#looking)
    this.#looking = undefined
  }

  /** Node's server reads it from now on. */
  handedOver(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection !== undefined) connection.isNodes = true
  }

  /** Those of Node's server, which itself would close one whose response is written but not read yet. */
  closeIdle(): void {
    for (const [socket, { isNodes, response }] of this.#open)
      if (isNodes && (response === undefined || response.closed)) socket.destroy()
  }

  /**
   * Node's server has read a head: its body and its response come next. False: the client sends too many requests without
   * waiting for responses. It gets those to the first ones, and is read from no more. One packet may hold a thousand
   * requests, which Node would all read at once.
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

  #look(): void {
    const now = performance.now()
    for (const [socket, connection] of this.#open) {
      const { response, bodyUntilMs } = connection
      if (response === undefined) continue
      // Also when the response was sent already: the rest of the body is still read, and dropped.
      if (!response.req.complete && now > bodyUntilMs) this.#endLate(socket)
      else if (response.req.complete && response.closed) connection.response = undefined
    }
  }

  #endLate(socket: Socket): void {
    this.brokeOff(LATE, socket)
    socket.destroySoon()
  }

  /**
   * What came on a connection of Node's server is not HTTP, or a part of it came too late. Only a client that awaits no
   * other response is told: another one would take it for the response to a payment that was made.
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

  /** Nothing came or went on a connection of Node's server for as long as its timer runs. */
  waited(socket: Socket): void {
    const response = this.#open.get(socket)?.response
    const isUnderWay = response !== undefined && !response.closed
    if (isUnderWay && socket.writableLength === 0) socket.setTimeout(this.#answerMs)
    else socket.destroy()
  }

  /** The server closes. */
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
