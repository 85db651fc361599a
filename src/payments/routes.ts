// The counterparties' scope: each channel is told of at an address of its own. Whatever is posted there is read as text and
// judged by the channel; some counterparties add a path to the address that they were given.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Callback } from '../channels/contract.ts'
import { type HearDeps, hearCallback } from './receive-callback.ts'

const MAX_CALLBACK_BYTES = 65_536

type CallbackRequest = FastifyRequest<{ Params: { channel: string } }>

export function registerCallbacks(app: FastifyInstance, deps: HearDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const asText = { parseAs: 'string', bodyLimit: MAX_CALLBACK_BYTES } as const
    scope.addContentTypeParser<string>('*', asText, (_request, body, done) => done(null, body))
    const hear = (request: CallbackRequest, reply: FastifyReply) => answer(deps, request, reply)
    scope.post('/callbacks/:channel', hear)
    scope.post('/callbacks/:channel/*', hear)
  })
}

async function answer(deps: HearDeps, request: CallbackRequest, reply: FastifyReply): Promise<FastifyReply> {
  const answer = await hearCallback(deps, request.params.channel, toCallback(request, deps.baseUrl))
  if (answer === undefined) return reply.code(404).type('text/plain').send('no such channel')
  return reply.code(answer.status).type(answer.type).send(answer.body)
}

/** The path as the counterparty was told it: it signed that one, and a proxy may have taken its beginning away. */
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
