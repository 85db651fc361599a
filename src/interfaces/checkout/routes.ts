// The payer's routes: show, pay, switch, cancel, return from elsewhere, and live status. Parameters that banks and wallets
// send with the browser go to the channel, which must verify them.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PayerAction } from '../channels/contract.ts'
import type { Logo } from '../merchants/logo.ts'
import { type Form, formOf } from '../pages/form.ts'
import { sendPage, webAddress } from '../pages/page.ts'
import { registerAssets } from './asset-routes.ts'
import type { FormState } from './form/form-state.ts'
import type { Cost } from './links/link-limits.ts'
import type { PageContext } from './page-layout.ts'
import {
  contextOf,
  type LinkRequest,
  openPageScope,
  type PageScope,
  sendLogo,
  sendMissing,
} from './page-scope.ts'
import type { Browser, PayResult } from './pay-order.ts'
import { brokenPage, missingPage, payPage } from './pay-page.ts'
import type { CheckoutView } from './view.ts'

/** Each returns undefined if the link is wrong or has expired. */
export type CheckoutDeps = {
  readonly sandbox: boolean
  /** Counts a request. Returns the seconds to wait if the link is used too often. */
  limit(token: string, cost: Cost): number | undefined
  /** The payer's browser decides which methods are available. */
  open(token: string, userAgent?: string): Promise<CheckoutView | undefined>
  pay(token: string, form: Form, browser: Browser): Promise<PayResult | undefined>
  /** Cancels the current attempt, to pay with another method, or the order. */
  cancel(token: string, what: 'order' | 'attempt'): Promise<CheckoutView | undefined>
  /** Passes the browser's parameters to the channel and records the outcome. */
  complete(token: string, answer: Form): Promise<Pick<CheckoutView, 'action'> | undefined>
  /** The current page version. */
  pageVersion(token: string): Promise<string | undefined>
  /** The stream is undefined if there are too many. */
  listen(token: string): Promise<{ readonly stream: Readable | undefined } | undefined>
  logo(token: string): Promise<Logo | undefined>
  /** Ends all streams. */
  close(): void
}

type Checkout = { readonly deps: CheckoutDeps; readonly pages: PageScope }
type Query = Readonly<Record<string, unknown>>

export function registerCheckout(app: FastifyInstance, deps: CheckoutDeps): void {
  const { sandbox, limit } = deps
  const pages: PageScope = { at: 'pay', sandbox, missing: missingPage, broken: brokenPage, limit }
  const checkout = { deps, pages }
  app.register(async (scope) => {
    openPageScope(scope, pages)
    registerAssets(scope)
    scope.addHook('preClose', async () => deps.close())
    scope.get('/pay/:token', (request: LinkRequest, reply) => show(checkout, request, reply))
    scope.post('/pay/:token/pay', (request: LinkRequest, reply) => pay(checkout, request, reply))
    for (const [path, what] of [['switch', 'attempt'] as const, ['cancel', 'order'] as const])
      scope.post(`/pay/:token/${path}`, (request: LinkRequest, reply) =>
        cancel(checkout, what, request, reply),
      )
    // Reloading one of these addresses shows the order.
    for (const path of ['pay', 'switch', 'cancel'])
      scope.get(`/pay/:token/${path}`, (request: LinkRequest, reply) => toPage(request, reply))
    const onReturn = (request: LinkRequest, reply: FastifyReply) => complete(checkout, request, reply)
    scope.route({ method: ['GET', 'POST'], url: '/pay/:token/complete', handler: onReturn })
    scope.get('/pay/:token/status', (request: LinkRequest, reply) =>
      sendPageVersion(checkout, request, reply),
    )
    scope.get('/pay/:token/events', { exposeHeadRoute: false }, (request: LinkRequest, reply) =>
      listen(checkout, request, reply),
    )
    scope.get('/pay/:token/logo', async (request: LinkRequest, reply) =>
      sendLogo(pages, await deps.logo(request.params.token), request, reply),
    )
  })
}

async function show({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  const order = await deps.open(request.params.token, browserOf(request).userAgent)
  if (order === undefined) return sendMissing(pages, request, reply)
  const query = queryOf(request)
  // A payer who returned from the wallet, by its link or the back button, must not be sent there again.
  const isLink = Object.keys(query).length === 0
  const continues = isLink ? !order.maySwitch : query.back === undefined
  const { action } = order
  const wallet = action?.kind === 'redirect' ? webAddress(action.url) : undefined
  // A redirect or refresh would send the shop's Referer, or none. A link that the script clicks sends ours.
  const needsReferrer = action?.kind === 'redirect' && action.referrer === 'origin'
  const needsForm = action?.kind === 'redirect' && action.fields !== undefined
  const context = contextOf(pages, request)
  // Wallets refuse frames: there the script asks the shop's page to continue, as it asks for a bank's challenge.
  const byScript = needsReferrer || needsForm || context.isFramed === true
  if (wallet !== undefined && continues && !byScript) {
    // After one of our forms, our form-action policy would block a redirect to another origin, so the page refreshes instead.
    if (isLink) return reply.redirect(wallet.href, 303)
    reply.header('refresh', `0; url=${wallet.href}`)
  }
  const isStale = query.stale !== undefined && order.status === 'choosing'
  const formState: FormState = { values: {}, problems: {}, notice: isStale ? 'stale' : undefined }
  return sendPay(reply, 200, { ...context, autoContinue: byScript && continues }, order, formState)
}

/** A challenge posts a form to the bank, and some redirects do. Only a wallet that requires our origin gets a referrer. */
function sendPay(
  reply: FastifyReply,
  status: number,
  context: PageContext,
  view: CheckoutView,
  formState: FormState,
) {
  const { action } = view
  return sendPage(reply, status, payPage(context, view, formState), {
    formTargets: formTargetsOf(action),
    referrer: action?.kind === 'redirect' ? action.referrer : undefined,
    frameAncestors: context.isFramed ? view.frameAncestors : [],
  })
}

/**
 * A browser applies the policy to every host that the form's target leads on to, and those cannot be known. Such a page has
 * nothing to type into, so a form that someone smuggled in could send nothing but what is meant for the bank. https stays https.
 */
function formTargetsOf(action: PayerAction | undefined): string[] {
  if (action?.kind === 'challenge') return schemeOf(action.acsUrl)
  return action?.kind === 'redirect' && action.fields !== undefined ? schemeOf(action.url) : []
}

function schemeOf(url: string): string[] {
  const address = webAddress(url)
  return address === undefined ? [] : [address.protocol]
}

async function pay({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  const paid = await deps.pay(request.params.token, formOf(request.body), browserOf(request))
  if (paid === undefined) return sendMissing(pages, request, reply)
  if (paid.kind !== 'invalid') return toPage(request, reply, paid.kind === 'stale' ? '?stale' : '?go')
  const { view, formState } = paid
  const status = formState.notice === 'tooManyAttempts' ? 429 : 422
  return sendPay(reply, status, contextOf(pages, request), view, formState)
}

const MAX_HEADER = 512

function browserOf({ ip, headers }: FastifyRequest): Browser {
  const { 'user-agent': userAgent = '', accept = '' } = headers
  return { address: ip, userAgent: userAgent.slice(0, MAX_HEADER), accept: accept.slice(0, MAX_HEADER) }
}

async function cancel(
  { deps, pages }: Checkout,
  what: 'order' | 'attempt',
  request: LinkRequest,
  reply: FastifyReply,
) {
  const { token } = request.params
  const order = await deps.open(token)
  if (order === undefined) return sendMissing(pages, request, reply)
  const may = what === 'attempt' ? order.maySwitch : order.mayCancel
  // A form made before the latest attempt must not cancel that attempt.
  const isOld = ![undefined, String(order.attempts)].includes(formOf(request.body).attempt)
  if (may && !isOld) await deps.cancel(token, what)
  return toPage(request, reply, '?back')
}

/** Wallets return the payer by a link, banks by a form. */
async function complete({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  const answer = request.method === 'POST' ? formOf(request.body) : formOf(request.query)
  const order = await deps.complete(request.params.token, answer)
  if (order === undefined) return sendMissing(pages, request, reply)
  return toPage(request, reply, order.action?.kind === 'redirect' ? '?back' : '')
}

function toPage(request: LinkRequest, reply: FastifyReply, query = '') {
  return reply.redirect(`../${encodeURIComponent(request.params.token)}${query}`, 303)
}

async function sendPageVersion({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  const version = await deps.pageVersion(request.params.token)
  return version === undefined ? sendMissing(pages, request, reply) : reply.send({ mark: version })
}

/** 204 makes the page poll instead: when its stream has ended, or when there are too many streams. */
async function listen({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  if (request.headers['last-event-id'] !== undefined) return reply.code(204).send()
  const listening = await deps.listen(request.params.token)
  if (listening === undefined) return sendMissing(pages, request, reply)
  if (listening.stream === undefined) return reply.code(204).send()
  // The second header tells proxies not to buffer.
  return reply
    .headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    .send(listening.stream)
}

function queryOf({ query }: FastifyRequest): Query {
  return typeof query === 'object' && query !== null ? { ...query } : {}
}
