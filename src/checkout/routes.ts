// The payer's scope: see, pay, give up, come back, and be told when something changed. What banks and wallets send back with
// the browser is handed on, not believed.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logo } from '../merchants/logo.ts'
import { type Form, formOf } from '../pages/form.ts'
import { sendPage, webAddress } from '../pages/page.ts'
import { registerAssets } from './asset-routes.ts'
import type { Filling } from './filling.ts'
import type { Cost } from './link-limits.ts'
import {
  frameOf,
  type LinkRequest,
  openPageScope,
  type PageScope,
  sendLogo,
  sendMissing,
} from './page-scope.ts'
import type { Browser, Paid } from './pay-order.ts'
import { brokenPage, missingPage, payPage } from './pay-page.ts'
import type { CheckoutView } from './view.ts'

/** Undefined from any of them: the link is wrong or too old. */
export type CheckoutDeps = {
  readonly sandbox: boolean
  /** Counts a request. When the link is used too often: in how many seconds it is served again. */
  limit(token: string, cost: Cost): number | undefined
  /** What can be paid depends on the payer's browser. */
  open(token: string, userAgent?: string): Promise<CheckoutView | undefined>
  pay(token: string, form: Form, browser: Browser): Promise<Paid | undefined>
  /** The attempt under way, to pay in another way; or the order. */
  giveUp(token: string, what: 'order' | 'attempt'): Promise<CheckoutView | undefined>
  /** Hands what the browser brought to the channel and records the outcome. */
  complete(token: string, answer: Form): Promise<Pick<CheckoutView, 'action'> | undefined>
  /** What the page shows now, in short. */
  mark(token: string): Promise<string | undefined>
  /** Without a stream there are too many. */
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
        giveUp(checkout, what, request, reply),
      )
    // Whoever loads one of these again is shown how the order stands.
    for (const path of ['pay', 'switch', 'cancel'])
      scope.get(`/pay/:token/${path}`, (request: LinkRequest, reply) => toPage(request, reply))
    const comeBack = (request: LinkRequest, reply: FastifyReply) => complete(checkout, request, reply)
    scope.route({ method: ['GET', 'POST'], url: '/pay/:token/complete', handler: comeBack })
    scope.get('/pay/:token/status', (request: LinkRequest, reply) => tellMark(checkout, request, reply))
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
  // Whoever came back from the wallet, by its link or by the browser's button, is not sent in circles.
  const isLink = Object.keys(query).length === 0
  const goesOn = isLink ? !order.maySwitch : query.back === undefined
  const { action } = order
  const wallet = action?.kind === 'redirect' ? webAddress(action.url) : undefined
  // A redirection or a refresh would carry the shop's Referer, or none. A link that the script presses carries ours.
  const needsReferrer = action?.kind === 'redirect' && action.referrer === 'origin'
  if (wallet !== undefined && goesOn && !needsReferrer) {
    // After a form of ours, our own policy would stop a redirection to another origin: there the page leads on.
    if (isLink) return reply.redirect(wallet.href, 303)
    reply.header('refresh', `0; url=${wallet.href}`)
  }
  const isStale = query.stale !== undefined && order.status === 'choosing'
  const filling: Filling = { values: {}, problems: {}, notice: isStale ? 'stale' : undefined }
  const frame = { ...frameOf(pages, request), leadsOn: needsReferrer && goesOn }
  return sendPay(reply, 200, payPage(frame, order, filling), order)
}

/** A challenge is a form that posts to the bank. Only a wallet that asks for it learns that its payer comes from us. */
function sendPay(reply: FastifyReply, status: number, page: string, { action }: CheckoutView) {
  const bank = action?.kind === 'challenge' ? webAddress(action.acsUrl) : undefined
  const referrer = action?.kind === 'redirect' ? action.referrer : undefined
  return sendPage(reply, status, page, bank ? [bank.origin] : [], referrer)
}

async function pay({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  const paid = await deps.pay(request.params.token, formOf(request.body), browserOf(request))
  if (paid === undefined) return sendMissing(pages, request, reply)
  if (paid.kind !== 'wrong') return toPage(request, reply, paid.kind === 'stale' ? '?stale' : '?go')
  const { view, filling } = paid
  const status = filling.notice === 'tooManyTries' ? 429 : 422
  return sendPay(reply, status, payPage(frameOf(pages, request), view, filling), view)
}

const MAX_HEADER = 512

function browserOf({ ip, headers }: FastifyRequest): Browser {
  const { 'user-agent': userAgent = '', accept = '' } = headers
  return { address: ip, userAgent: userAgent.slice(0, MAX_HEADER), accept: accept.slice(0, MAX_HEADER) }
}

async function giveUp(
  { deps, pages }: Checkout,
  what: 'order' | 'attempt',
  request: LinkRequest,
  reply: FastifyReply,
) {
  const { token } = request.params
  const order = await deps.open(token)
  if (order === undefined) return sendMissing(pages, request, reply)
  const may = what === 'attempt' ? order.maySwitch : order.mayCancel
  // A form of before the latest attempt gives up nothing of it.
  const isOld = ![undefined, String(order.attempts)].includes(formOf(request.body).attempt)
  if (may && !isOld) await deps.giveUp(token, what)
  return toPage(request, reply, '?back')
}

/** Wallets lead back by a link, banks by a form. */
async function complete({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  const answer = request.method === 'POST' ? formOf(request.body) : formOf(request.query)
  const order = await deps.complete(request.params.token, answer)
  if (order === undefined) return sendMissing(pages, request, reply)
  return toPage(request, reply, order.action?.kind === 'redirect' ? '?back' : '')
}

function toPage(request: LinkRequest, reply: FastifyReply, query = '') {
  return reply.redirect(`../${encodeURIComponent(request.params.token)}${query}`, 303)
}

async function tellMark({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  const mark = await deps.mark(request.params.token)
  return mark === undefined ? sendMissing(pages, request, reply) : reply.send({ mark })
}

/** A browser that comes back after its stream ended, or when there are too many, is told to stay away: the page polls. */
async function listen({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  if (request.headers['last-event-id'] !== undefined) return reply.code(204).send()
  const listening = await deps.listen(request.params.token)
  if (listening === undefined) return sendMissing(pages, request, reply)
  if (listening.stream === undefined) return reply.code(204).send()
  // The second header is for proxies that would collect before they pass on.
  return reply
    .headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    .send(listening.stream)
}

function queryOf({ query }: FastifyRequest): Query {
  return typeof query === 'object' && query !== null ? { ...query } : {}
}
