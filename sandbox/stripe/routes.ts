// Stripe's API. Requests are forms with a bearer key, and responses are JSON.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import { isEqualSecret } from '../../src/platform/base/secret.ts'
import { acceptForms, formOf } from '../../src/platform/pages/form.ts'
import { sendPage, webAddress } from '../../src/platform/pages/page.ts'
import { staySilent } from '../silent-reply.ts'
import { type Account, toJson } from './account.ts'
import { type Answer, done, missing, problem } from './answer.ts'
import type { Events } from './events.ts'
import { listIn, readForm, textIn } from './form.ts'
import type { Keys } from './keys.ts'
import { nothingPage, payerPage } from './page.ts'
import type { DisputeBook, Refunds } from './refunds.ts'

export type StripeParts = {
  readonly secretKey: string
  readonly account: Account
  readonly refunds: Refunds
  readonly disputes: DisputeBook
  readonly events: Events
  readonly keys: Keys
}

export const API_PATH = '/stripe/v1'
export const PAGE_PATH = '/stripe/pay'

const MAX_FORM_BYTES = 65_536
/** The time that each change is in progress. */
const WORK_MS = 5

type ById = { Params: { id: string } }
type Work = (id: string, form: Fields) => Answer

export function registerStripeApi(app: FastifyInstance, parts: StripeParts): void {
  const { account, refunds, disputes, events } = parts
  app.register(
    async (scope) => {
      scope.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
        (_request, body, end) => end(null, body),
      )
      scope.addHook('onRequest', async (request, reply) => {
        const bearer = request.headers.authorization ?? ''
        if (isEqualSecret(bearer, `Bearer ${parts.secretKey}`)) return
        return reply
          .code(401)
          .send({ error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } })
      })
      const post = (path: string, work: Work) =>
        scope.post<ById>(path, (request, reply) => change(parts, request, reply, work))
      const get = (path: string, read: (id: string, query: Fields) => Answer) =>
        scope.get<ById>(path, (request, reply) => send(reply, read(request.params.id, queryOf(request))))
      post('/payment_intents', (_id, form) => account.create(form))
      post('/payment_intents/:id/confirm', (id, form) => account.confirm(id, form))
      post('/payment_intents/:id/cancel', (id) => account.cancel(id))
      post('/refunds', (_id, form) => refunds.create(form))
      post('/webhook_endpoints', (_id, form) => {
        events.setEndpoint(textIn(form, 'url'))
        return done({ object: 'webhook_endpoint', url: textIn(form, 'url') })
      })
      get('/payment_intents', (_id, query) => pageOf('payment_intents', account.list().map(toJson), query))
      get('/payment_intents/:id', (id) => {
        const intent = account.find(id)
        return intent === undefined ? missing('payment_intent') : done(toJson(intent))
      })
      get('/refunds', (_id, query) =>
        pageOf('refunds', refunds.listOf(textIn(query, 'payment_intent')), query),
      )
      get('/refunds/:id', (id) => refunds.find(id))
      get('/disputes', (_id, query) => pageOf('disputes', disputes.list(isExpanded(query)), query))
      get('/disputes/:id', (id, query) => disputes.find(id, isExpanded(query)))
    },
    { prefix: API_PATH },
  )
}

async function change(
  { keys }: StripeParts,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
  work: Work,
): Promise<FastifyReply> {
  const body = typeof request.body === 'string' ? request.body : ''
  const carryOut = async () => {
    await new Promise((resolve) => setTimeout(resolve, WORK_MS))
    return work(request.params.id, readForm(body))
  }
  const key = request.headers['idempotency-key']
  const answer =
    typeof key === 'string' ? await keys.run(key, `${request.url}?${body}`, carryOut) : await carryOut()
  if (answer.silence !== undefined) return staySilent(reply)
  if ('isReplay' in answer) reply.header('idempotent-replayed', 'true')
  return send(reply, answer)
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).send(body)
}

function queryOf({ url }: FastifyRequest<ById>): Fields {
  return readForm(url.split('?')[1] ?? '')
}

function isExpanded(query: Fields): boolean {
  return listIn(query, 'expand').some((one) => /(^|\.)payment_intent$/.test(one))
}

/** Returns a page of a list that is sorted from new to old. */
function pageOf(kind: string, all: readonly Fields[], query: Fields): Answer {
  const { created } = query
  const from = isObject(created) ? Number(created.gte) : 0
  const limit = Number(textIn(query, 'limit') || '10')
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    return problem(400, 'invalid_request_error', { param: 'limit' })
  const recent = all.filter((one) => one.created === undefined || Number(one.created) >= from)
  const after = recent.findIndex((one) => one.id === textIn(query, 'starting_after'))
  const rest = recent.slice(after + 1)
  const data = rest.slice(0, limit)
  return done({ object: 'list', url: `/v1/${kind}`, data, has_more: rest.length > limit })
}

export function registerPayerPage(app: FastifyInstance, { account }: StripeParts): void {
  app.register(async (scope) => {
    acceptForms(scope, MAX_FORM_BYTES)
    scope.get<ById>(`${PAGE_PATH}/:id`, (request, reply) => {
      const intent = account.find(request.params.id)
      if (intent?.status !== 'requires_action') return sendPage(reply, 410, nothingPage(intent?.returnUrl))
      const back = webAddress(intent.returnUrl)
      return sendPage(reply, 200, payerPage(intent), { formTargets: back === undefined ? [] : [back.origin] })
    })
    scope.post<ById>(`${PAGE_PATH}/:id`, (request, reply) => {
      const { id } = request.params
      const deed = formOf(request.body).decision === 'approve' ? 'approve' : 'decline'
      const intent = account.find(id)
      if (intent === undefined || !account.decide(id, deed))
        return sendPage(reply, 410, nothingPage(intent?.returnUrl))
      const back = webAddress(intent.returnUrl)
      if (back === undefined) return sendPage(reply, 200, nothingPage())
      back.searchParams.set('payment_intent', id)
      back.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed')
      return reply.redirect(back.href, 303)
    })
  })
}
