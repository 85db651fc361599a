// The routes for counterparties: each channel has its own callback address. The channel verifies the body, which is read as
// text. Some counterparties append a path to the address.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Callback } from '../channels/contract.ts'
import { type CallbackDeps, receiveCallback } from './receive-callback.ts'

const MAX_CALLBACK_BYTES = 65_536

type CallbackRequest = FastifyRequest<{ Params: { channel: string } }>

export function registerCallbacks(app: FastifyInstance, deps: CallbackDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const asText = { parseAs: 'string', bodyLimit: MAX_CALLBACK_BYTES } as const
    scope.addContentTypeParser<string>('*', asText, (_request, body, done) => done(null, body))
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
