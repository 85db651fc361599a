// The payer's scope: no session and no cookie, the link is the key. The bank's page posts back here from another site,
// and what it brings is handed on, not believed.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptForms, type Form, formOf } from '../pages/form.ts'
import { loadAsset, sendPage, webAddress } from '../pages/page.ts'
import { brokenPage, type CheckoutOrder, missingPage, payPage } from './pay-page.ts'

export type CheckoutDeps = {
  readonly sandbox: boolean
  /** The order behind a page link; undefined when the link is wrong or too old. */
  open(token: string): Promise<CheckoutOrder | undefined>
  /** Hands what the browser brought to the channel and records the outcome; the order afterwards. */
  complete(token: string, answer: Form): Promise<CheckoutOrder | undefined>
}

type PayRequest = FastifyRequest<{ Params: { token: string } }>

const MAX_FORM_BYTES = 16_384

export function registerCheckout(app: FastifyInstance, deps: CheckoutDeps): void {
  app.register(async (scope) => {
    acceptForms(scope, MAX_FORM_BYTES)
    scope.setErrorHandler((error: FastifyError, request, reply) => broken(deps, error, request, reply))
    const style = loadAsset('pay', 'css')
    const script = loadAsset('pay', 'js')
    scope.get('/assets/pay.css', (_request, reply) => style(reply))
    scope.get('/assets/pay.js', (_request, reply) => script(reply))
    scope.get('/pay/:token', (request: PayRequest, reply) => show(deps, request, reply))
    scope.post('/pay/:token/complete', (request: PayRequest, reply) => complete(deps, request, reply))
  })
}

async function show(deps: CheckoutDeps, request: PayRequest, reply: FastifyReply) {
  const order = await deps.open(request.params.token)
  const frame = { sandbox: deps.sandbox, assets: '../assets' }
  if (order === undefined) return sendPage(reply, 404, missingPage(frame))
  const acs = order.action && webAddress(order.action.acsUrl)
  return sendPage(reply, 200, payPage(frame, order), acs ? [acs.origin] : [])
}

async function complete(deps: CheckoutDeps, request: PayRequest, reply: FastifyReply) {
  const { token } = request.params
  const order = await deps.complete(token, formOf(request.body))
  const frame = { sandbox: deps.sandbox, assets: '../../assets' }
  if (order === undefined) return sendPage(reply, 404, missingPage(frame))
  // Relative, so that it holds behind a proxy that adds a path.
  return reply.header('cache-control', 'no-store').redirect(`../${encodeURIComponent(token)}`, 303)
}

/** A payer gets words and never a stack trace; what the caller did wrong (too long, not a form) is no fault of ours. */
function broken(deps: CheckoutDeps, error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const status = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500
  if (status === 500) request.log.error({ err: error }, 'a checkout page failed')
  const assets = request.url.includes('/complete') ? '../../assets' : '../assets'
  return sendPage(reply, status, brokenPage({ sandbox: deps.sandbox, assets }))
}
