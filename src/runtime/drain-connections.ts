// The end of a stop: what was taken in is answered, then every connection is cut. Clients keep connections open after
// their answers, open some in advance, or stall in the middle of a request; waiting for them would hold up the stop for
// as long as they please. A request whose body has not all come is not taken in: nothing of it is stored.
import type { FastifyInstance } from 'fastify'
import { type Answering, answeringOver } from '../merchant-api/transport.ts'

const LOOK_MS = 50

export type HangUp = {
  /** A request has come whole: a stop waits for its answer. */
  readonly taken: (answering: Answering) => void
  /** Requests that the app's own routes take are counted too. */
  readonly whenAnswered: (app: FastifyInstance) => void
}

export function createHangUp(): HangUp {
  let underWay = 0
  const left = () => {
    underWay--
  }
  const taken = (answering: Answering) => {
    underWay++
    answering.whenAnswered(left)
  }
  return {
    taken,
    whenAnswered(app) {
      app.addHook('preHandler', (_request, reply, done) => {
        taken(answeringOver(reply.raw))
        done()
      })
      app.addHook('preClose', (done) => {
        if (app.server.listening) cutWhen(app, () => underWay === 0)
        done()
      })
    },
  }
}

/** Again and again: a connection may still be accepted until the server has stopped listening. */
function cutWhen(app: FastifyInstance, isAnswered: () => boolean): void {
  const timer = setInterval(() => isAnswered() && app.server.closeAllConnections(), LOOK_MS)
  app.server.once('close', () => clearInterval(timer))
}
