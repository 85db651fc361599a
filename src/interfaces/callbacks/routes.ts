// The callback routes. Each channel or payout rail has its own address. Some counterparties append a path to the
// address. The channel gets the body as unparsed text, because it verifies the signature of the text.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { retryAfterOf } from '../../platform/http/server/unavailable.ts'
import type { Callback } from '../../rails/contract/channel.ts'
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

/**
 * Responds to a callback that failed. The counterparty will send the callback again. The response does not contain the
 * error.
 */
function sendFailure(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  const refused = error.statusCode !== undefined && error.statusCode < 500
  const status = retryAfter !== undefined ? 503 : refused ? error.statusCode : 500
  if (status === 500) request.log.error({ err: error }, 'a callback failed')
  return reply
    .code(status ?? 500)
    .type('text/plain')
    .send('not received')
}

/**
 * Converts the request for the channel. A counterparty may sign the path of our public address. A proxy may have
 * removed the beginning of this path, so the path of `baseUrl` is put before the path of the request.
 */
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
