// Where the gateway sends the own notifications of exam orders: everything is acknowledged, nothing is read.
import type { FastifyInstance } from 'fastify'

export const HOLD_PATH = '/sandbox/notifications'
const MOST_BYTES = 16_384

/** Sandbox only. */
export function registerExam(app: FastifyInstance): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, _body, done) =>
      done(null),
    )
    scope.post(HOLD_PATH, (_request, reply) => reply.type('text/plain').send('SUCCESS'))
  })
}
