// Node's HTTP server, with the short way in front of it.
import { type RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { assert } from '../errors/catalogue.ts'
import type { Connections } from './connections.ts'
import { DirectConnections, type DirectOptions, KEEP_ALIVE_MS } from './direct.ts'

export type ServerParts = {
  readonly toRoutes: RequestListener
  readonly takeWhole: DirectOptions['take']
  readonly connections: Connections
}

export class MerchantServer extends Server {
  readonly #direct: DirectConnections
  readonly #connections: Connections

  constructor({ toRoutes, takeWhole, connections }: ServerParts) {
    const { headMs: headersTimeout, lookMs: connectionsCheckingInterval } = connections.options
    // How long a body may take depends on its path: `connections` sees to it.
    const requestTimeout = 0
    const keepAliveTimeout = KEEP_ALIVE_MS
    super({ keepAliveTimeout, headersTimeout, requestTimeout, connectionsCheckingInterval }, toRoutes)
    this.#connections = connections
    this.timeout = connections.answerMs
    this.on('timeout', (socket: Socket) => connections.waited(socket))
    // Nothing is served differently for it. Node would answer 417, without an envelope or a request id.
    this.on('checkExpectation', toRoutes)
    this.on('clientError', (error, socket: Socket) => connections.brokeOff(error, socket))
    const [toNode, ...others] = this.listeners('connection')
    assert(toNode !== undefined && others.length === 0, 'Node listens to connections, and nobody else')
    this.#direct = new DirectConnections({
      take: takeWhole,
      toNode: (socket) => {
        connections.handedOver(socket)
        toNode.call(this, socket)
      },
      isListening: () => this.listening,
      connections,
    })
    this.removeAllListeners('connection')
    this.on('connection', (socket: Socket) => {
      if (connections.admit(socket)) this.#direct.add(socket)
    })
  }

  override close(closed?: (error?: Error) => void): this {
    this.#connections.hurry()
    this.timeout = this.#connections.answerMs
    return super.close(closed)
  }

  override closeIdleConnections(): void {
    this.#connections.closeIdle()
    this.#direct.closeIdle()
  }

  override closeAllConnections(): void {
    super.closeAllConnections()
    this.#direct.closeAll()
  }
}
