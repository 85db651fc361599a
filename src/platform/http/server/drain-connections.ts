// Drains connections at a stop. Every complete request gets its response. Then all connections are closed, because idle
// or stalled clients could delay the stop forever. A request with an incomplete body does not count, because none of it
// is stored.
import type { FastifyInstance } from 'fastify'
import { type ResponseWriter, writerOver } from './response.ts'

const CHECK_MS = 50

export type Drain = {
  /** Called with the response of each complete request. */
  readonly began: (response: ResponseWriter) => void
  /** Also counts the requests to the app's routes. Closes all connections when the app stops and none is pending. */
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
