// Node's HTTP server with bounds on its connections, and optionally the raw server in front of it.
import { type RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { assert } from '../../errors/catalogue.ts'
import type { Connections } from './connections.ts'
import { KEEP_ALIVE_MS, RawConnections, type TakeWhole } from './raw/raw-connections.ts'

export type ServerParts = {
  readonly serve: RequestListener
  /** Takes complete requests from the raw server. Undefined if Node's server reads every request. */
  readonly takeWhole: TakeWhole | undefined
  readonly connections: Connections
}

export class BoundedServer extends Server {
  readonly #raw: RawConnections | undefined
  readonly #connections: Connections

  constructor({ serve, takeWhole, connections }: ServerParts) {
    const { headMs: headersTimeout, checkMs: connectionsCheckingInterval } = connections.options
    // 0 turns off Node's own limit. The time for a body depends on its path, so `connections` checks it.
    const requestTimeout = 0
    const keepAliveTimeout = KEEP_ALIVE_MS
    super({ keepAliveTimeout, headersTimeout, requestTimeout, connectionsCheckingInterval }, serve)
    this.#connections = connections
    this.timeout = connections.answerMs
    this.on('timeout', (socket: Socket) => connections.waited(socket))
    // A request with an Expect header other than 100-continue is served like any other request. Node would answer 417,
    // without an envelope or a request id.
    this.on('checkExpectation', serve)
    this.on('clientError', (error, socket: Socket) => connections.brokeOff(error, socket))
    const toNode = this.#ownListener()
    this.#raw = takeWhole && new RawConnections({ takeWhole, toNode, connections })
    this.on('connection', (socket: Socket) => {
      if (!connections.admit(socket)) return
      if (this.#raw === undefined) toNode(socket)
      else this.#raw.add(socket)
    })
  }

  /** Removes and returns Node's listener for connections, so that we decide which connections Node reads, and when. */
  #ownListener(): (socket: Socket) => void {
    const [listener, ...others] = this.listeners('connection')
    assert(listener !== undefined && others.length === 0, 'Node listens to connections, and nobody else')
    this.removeAllListeners('connection')
    return (socket) => {
      this.#connections.handedOver(socket)
      listener.call(this, socket)
    }
  }

  override close(closed?: (error?: Error) => void): this {
    this.#connections.hurry()
    this.timeout = this.#connections.answerMs
    return super.close(closed)
  }

  override closeIdleConnections(): void {
    this.#connections.closeIdle()
    this.#raw?.closeIdle()
  }

  override closeAllConnections(): void {
    super.closeAllConnections()
    this.#raw?.closeAll()
  }
}
