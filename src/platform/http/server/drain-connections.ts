// Drains connections at a stop. Every complete request that has begun gets its response. After that, all connections
// are closed, because idle or stalled clients could delay the stop forever. The stop waits neither for requests in the
// fair queue nor for requests with an incomplete body, because nothing of them is stored.
import type { FastifyInstance } from 'fastify'
import { type ResponseWriter, writerOver } from './response.ts'

const CHECK_MS = 50

export type Drain = {
  /** Counts a complete request outside the app's routes as pending until its response is done. */
  readonly began: (response: ResponseWriter) => void
  /**
   * Counts the requests to the app's routes, too. When the app stops, closes all connections as soon as no request is
   * pending.
   */
  readonly watch: (app: FastifyInstance) => void
}

export function createDrain(): Drain {
  let pending = 0
  const done = () => {
    pending--
  }
  const began = (response: ResponseWriter) => {
    pending++
    response.whenDone(done)
  }
  return {
    began,
    watch(app) {
      app.addHook('preHandler', (_request, reply, next) => {
        began(writerOver(reply.raw))
        next()
      })
      app.addHook('preClose', (next) => {
        if (app.server.listening) closeWhen(app, () => pending === 0)
        next()
      })
    },
  }
}

/**
 * Closes all connections when no request is pending. The check repeats, because connections are accepted until the
 * server has stopped listening.
 */
function closeWhen(app: FastifyInstance, isDrained: () => boolean): void {
  const timer = setInterval(() => isDrained() && app.server.closeAllConnections(), CHECK_MS)
  app.server.once('close', () => clearInterval(timer))
}
