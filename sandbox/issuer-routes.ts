// The card issuer over HTTP: a signed JSON API for gateways, and the challenge page for payers.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loadAsset } from '../src/platform/pages/asset.ts'
import { acceptForms, formOf } from '../src/platform/pages/form.ts'
import { type PagePolicy, sendPage, webAddress } from '../src/platform/pages/page.ts'
import { answerPage, codePage, noChallengePage } from './acs-page.ts'
import type { Challenge } from './card-book.ts'
import type { CardIssuer } from './card-issuer.ts'
import { type IssuerAnswer, problem } from './issuer-request.ts'
import type { Answering } from './operations.ts'
import { ASSETS_PATH } from './sandbox-page.ts'
import { isSigned, SIGNATURE, TIMESTAMP } from './signature.ts'

const MAX_JSON_BYTES = 65_536
const MAX_FORM_BYTES = 16_384

type ApiRequest = FastifyRequest<{ Params: { operation: string } }>

/** `prefix` begins the paths of this counterparty, because several counterparties share the port. */
export function registerIssuerApi(
  app: FastifyInstance,
  issuer: Answering,
  secret: string,
  prefix = '',
): void {
  app.register(async (scope) => {
    // The body is read as text, because the signature covers the raw body.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<string>(
      'application/json',
      { parseAs: 'string', bodyLimit: MAX_JSON_BYTES },
      (_request, body, done) => done(null, body),
    )
    scope.post(`${prefix}/v1/:operation`, async (request: ApiRequest, reply) => {
      const body = typeof request.body === 'string' ? request.body : ''
      const answer = isTrusted(request, body, secret)
        ? await operate(issuer, request, reply, body)
        : problem(401, 'unauthorised', 'the signature is missing, wrong or too old')
      // A closed connection simulates a missing response.
      if (answer === undefined) return reply.hijack().raw.destroy()
      return reply.code(answer.status).send(answer.body)
    })
  })
}

function isTrusted(request: FastifyRequest, body: string, secret: string): boolean {
  const timestamp = String(request.headers[TIMESTAMP])
  const signed = { method: request.method, path: request.url, timestamp, body }
  return isSigned(secret, signed, String(request.headers[SIGNATURE]))
}

async function operate(
  issuer: Answering,
  request: ApiRequest,
  reply: FastifyReply,
  text: string,
): Promise<IssuerAnswer | undefined> {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return problem(400, 'invalid_request', 'not JSON')
  }
  return issuer.handle({ operation: request.params.operation, body }, gone.signal)
}

const assets = [
  ['pay', 'css'],
  ['fields', 'js'],
  ['pay', 'js'],
] as const

export function registerAcs(app: FastifyInstance, issuer: CardIssuer): void {
  app.register(async (scope) => {
    acceptForms(scope, MAX_FORM_BYTES)
    for (const [name, kind] of assets) {
      const send = loadAsset(name, kind)
      scope.get(`${ASSETS_PATH}/${name}.${kind}`, (_request, reply) => send(reply))
    }
    scope.post('/acs', (request, reply) => ask(issuer, request, reply))
    scope.post('/acs/answer', (request, reply) => answer(issuer, request, reply))
  })
}

function ask(issuer: CardIssuer, request: FastifyRequest, reply: FastifyReply) {
  const found = issuer.readChallenge(formOf(request.body).creq ?? '')
  if (found?.charge.status !== 'challenge') return sendNoChallenge(reply, found?.challenge)
  return sendPage(reply, 200, codePage(found.challenge, found.charge), framePolicy(found.challenge))
}

function sendNoChallenge(reply: FastifyReply, challenge: Challenge | undefined) {
  return sendPage(reply, 400, noChallengePage(challenge?.notificationUrl), framePolicy(challenge))
}

/**
 * Allows every shop to show the bank's page in a frame, as 3-D Secure intends, unless the card's bank refuses frames.
 */
function framePolicy(challenge: Challenge | undefined): PagePolicy {
  return { frameAncestors: challenge?.refusesFrames ? [] : ['*'] }
}

function answer(issuer: CardIssuer, request: FastifyRequest, reply: FastifyReply) {
  const { acsTransID = '', code = '' } = formOf(request.body)
  const answered = issuer.answerChallenge(acsTransID, code.trim())
  const origin = webAddress(answered?.challenge.notificationUrl ?? '')?.origin
  if (answered === undefined || origin === undefined) return sendNoChallenge(reply, answered?.challenge)
  const { cres, challenge } = answered
  const policy = { ...framePolicy(challenge), formTargets: [origin] }
  return sendPage(reply, 200, answerPage(challenge.notificationUrl, cres), policy)
}
