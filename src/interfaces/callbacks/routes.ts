// The routes for counterparties: each channel has its own callback address. The channel verifies the body, which is read as
// text. Some counterparties append a path to the address.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Callback } from '../channels/contract.ts'
import { Overloaded } from '../postgres/batch.ts'
import { type CallbackDeps, receiveCallback } from './receive-callback.ts'

const MAX_CALLBACK_BYTES = 65_536

type CallbackRequest = FastifyRequest<{ Params: { channel: string } }>

export function registerCallbacks(app: FastifyInstance, deps: CallbackDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const asText = { parseAs: 'string', bodyLimit: MAX_CALLBACK_BYTES } as const
    scope.addContentTypeParser<string>('*', asText, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error: FastifyError, request, reply) => sendFailure(error, request, reply))
    const receive = (request: CallbackRequest, reply: FastifyReply) => answer(deps, request, reply)
    scope.post('/callbacks/:channel', receive)
    scope.post('/callbacks/:channel/*', receive)
  })
}

async function answer(
  deps: CallbackDeps,
  request: CallbackRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const answer = await receiveCallback(deps, request.params.channel, toCallback(request, deps.baseUrl))
  if (answer === undefined) return reply.code(404).type('text/plain').send('no such channel')
  return reply.code(answer.status).type(answer.type).send(answer.body)
}

/** Nothing of the error is sent: counterparties repeat a callback that failed, and the log says why it did. */
function sendFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refused = error.statusCode !== undefined && error.statusCode < 500
  const status = error instanceof Overloaded ? 503 : refused ? error.statusCode : 500
  if (status === 500) request.log.error({ err: error }, 'a callback failed')
  return reply
    .code(status ?? 500)
    .type('text/plain')
    .send('not received')
}

/** The path under our public address, which the counterparty signed. A proxy may have removed its beginning. */
function toCallback({ method, url, headers, body }: CallbackRequest, baseUrl: string): Callback {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const texts = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value[0] : value,
  ])
  return {
    method,
    path: new URL(baseUrl).pathname.replace(/\/$/, '') + path,
    query,
    headers: Object.fromEntries(texts),
    body: typeof body === 'string' ? body : '',
  }
}
