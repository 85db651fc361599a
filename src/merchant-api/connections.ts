// The open connections of a process: how many there may be, in all and from one network, and how long each may take.
//
// - A head must come within `headMs`. Node sees to it, and DirectConnection for connections that send nothing.
// - A body must come within `bodyMs`, an upload's within `uploadBodyMs`. Seen by looking at all connections now and then:
//   a timer for each request would cost every payment something.
// - An answer must make progress every `answerMs`: bytes wait in the socket and the client takes none. Answers that are
//   still being made have all the time they need, and so have streams whose client reads.
import type { ServerResponse } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { addressList, isListed } from '../http/address-list.ts'
import { networkOf } from '../http/network-of.ts'
import { answerClientError } from './transport.ts'

export type ConnectionOptions = {
  readonly most: number
  /** Those from one address, or from one /64 in IPv6. */
  readonly mostOfNetwork: number
  /** Many clients share the address of one of these. */
  readonly trustedProxies: readonly string[]
  /** Requests that a client may send ahead of their answers. */
  readonly mostUnanswered: number
  readonly headMs: number
  readonly bodyMs: number
  readonly uploadBodyMs: number
  readonly answerMs: number
  /** The same while the server closes: who does not read must not hold it up. */
  readonly closingAnswerMs: number
  /** Between two looks at all connections. */
  readonly lookMs: number
}

const usual: ConnectionOptions = {
  most: 10_000,
  mostOfNetwork: Number.POSITIVE_INFINITY,
  trustedProxies: [],
  mostUnanswered: 8,
  headMs: 20_000,
  bodyMs: 30_000,
  uploadBodyMs: 120_000,
  answerMs: 30_000,
  closingAnswerMs: 2_000,
  lookMs: 1_000,
}

const MOST_OF_NETWORK = 500

/** In sandbox all clients may be on one machine. */
export function connectionLimits(
  mode: 'sandbox' | 'live',
  trustedProxies: readonly string[],
): Pick<ConnectionOptions, 'mostOfNetwork' | 'trustedProxies'> {
  return { mostOfNetwork: mode === 'live' ? MOST_OF_NETWORK : usual.mostOfNetwork, trustedProxies }
}

type Connection = {
  readonly network: string | undefined
  /** Node's server reads it. */
  isNodes: boolean
  /** The latest that Node's server made, and when its request's body must have come. */
  response: ServerResponse | undefined
  bodyUntilMs: number
  /** Requests of Node's server that are not answered yet. */
  unanswered: number
  /** It sent too many ahead, and ends with the answers to those before. */
  isOver: boolean
}

export class Connections {
  readonly options: ConnectionOptions
  readonly #proxies: BlockList
  readonly #open = new Map<Socket, Connection>()
  readonly #ofNetwork = new Map<string, number>()
  #answerMs: number
  #looking: NodeJS.Timeout | undefined

  constructor(options: Partial<ConnectionOptions> = {}) {
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

  /** False: one too many, and closed. Nothing is told to it: that would cost more than it is worth. */
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
      unanswered: 0,
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

  /** Those of Node's server. It would count one as idle whose answer is written but not taken, and cut that answer off. */
  closeIdle(): void {
    for (const [socket, { isNodes, response }] of this.#open)
      if (isNodes && (response === undefined || response.closed)) socket.destroy()
  }

  /**
   * Node's server has read a head: its body and its answer come next. False: the client sends too many requests without
   * waiting for answers. It gets those to what was taken, and is read from no more. One packet may hold a thousand
   * requests, which Node would all read at once.
   */
  began(socket: Socket, response: ServerResponse, isUpload: boolean): boolean {
    const connection = this.#open.get(socket)
    if (connection === undefined) return true
    if (connection.isOver || connection.unanswered === this.options.mostUnanswered) {
      endAfterAnswers(socket, connection)
      return false
    }
    const { bodyMs, uploadBodyMs } = this.options
    connection.unanswered++
    response.once('close', () => connection.unanswered--)
    connection.response = response
    connection.bodyUntilMs = performance.now() + (isUpload ? uploadBodyMs : bodyMs)
    return true
  }

  #look(): void {
    const now = performance.now()
    for (const [socket, connection] of this.#open) {
      const { response, bodyUntilMs } = connection
      if (response === undefined) continue
      // Also when it was answered already: the rest of its body is still read, and dropped.
      if (!response.req.complete && now > bodyUntilMs) this.#endLate(socket)
      else if (response.req.complete && response.closed) connection.response = undefined
    }
  }

  #endLate(socket: Socket): void {
    this.brokeOff({ name: '', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
    socket.destroySoon()
  }

  /**
   * What came on a connection of Node's server is not HTTP, or a part of it came too late. That is said only to a client
   * that awaits no other answer: one that does would take it for the answer to a payment that was made.
   */
  brokeOff(error: NodeJS.ErrnoException, socket: Socket): void {
    const { response, unanswered = 0 } = this.#open.get(socket) ?? {}
    const isPartial = response?.req.complete === false
    if (isPartial && (response.headersSent || unanswered > 1)) socket.destroy()
    else if (!isPartial && response !== undefined && unanswered > 0) response.shouldKeepAlive = false
    else answerClientError(error, socket)
  }

  /** Nothing came or went on a connection of Node's server for as long as its timer runs. */
  waited(socket: Socket): void {
    const response = this.#open.get(socket)?.response
    const isUnderWay = response !== undefined && !response.closed
    if (isUnderWay && socket.writableLength === 0) socket.setTimeout(this.#answerMs)
    else socket.destroy()
  }

  hurry(): void {
    this.#answerMs = this.options.closingAnswerMs
    for (const socket of this.#open.keys()) socket.setTimeout(this.#answerMs)
  }
}

function endAfterAnswers(socket: Socket, connection: Connection): void {
  connection.isOver = true
  if (connection.response !== undefined) connection.response.shouldKeepAlive = false
  socket.pause()
}
