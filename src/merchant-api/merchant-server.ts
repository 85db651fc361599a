// Node's HTTP server, with the short way in front of it.
import { type RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { assert } from '../base/error.ts'
import { DirectConnections, type DirectOptions, KEEP_ALIVE_MS } from './direct.ts'

export type ServerParts = { readonly toRoutes: RequestListener; readonly takeWhole: DirectOptions['take'] }

export class MerchantServer extends Server {
  readonly #direct: DirectConnections

  constructor({ toRoutes, takeWhole }: ServerParts) {
    super({ keepAliveTimeout: KEEP_ALIVE_MS }, toRoutes)
    // Headers have their minute. A body may take its time: nothing waits for it but its own connection.
    this.requestTimeout = 0
    const [toNode, ...others] = this.listeners('connection')
    assert(toNode !== undefined && others.length === 0, 'Node listens to connections, and nobody else')
    this.#direct = new DirectConnections({
      take: takeWhole,
      toNode: (socket) => void toNode.call(this, socket),
      isListening: () => this.listening,
    })
    this.removeAllListeners('connection')
    this.on('connection', (socket: Socket) => this.#direct.add(socket))
  }

  override closeIdleConnections(): void {
    super.closeIdleConnections()
    this.#direct.closeIdle()
  }

  override closeAllConnections(): void {
    super.closeAllConnections()
    this.#direct.closeAll()
  }
}
