// The payer's routes. The parameters that a bank or wallet sends with the browser are passed to the channel, which must
// verify them.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logo } from '../../money/merchants/logo.ts'
import { accentCss } from '../../platform/pages/accent.ts'
import { loadAsset } from '../../platform/pages/asset.ts'
import { type Form, formOf } from '../../platform/pages/form.ts'
import { scriptManifest } from '../../platform/pages/manifest.ts'
import { sendPage, webAddress } from '../../platform/pages/page.ts'
import type { PayerAction } from '../../rails/contract/channel.ts'
import { isFramed } from './frames.ts'
import type { Cost } from './limits.ts'
import type { PageContext } from './page-layout.ts'
import { contextOf, type LinkRequest, openPageScope, type PageScope, sendMissing } from './page-scope.ts'
import type { Browser, PayResult } from './pay-order.ts'
import { brokenPage, missingPage, payPage, returnPage } from './pay-page.ts'
import type { CheckoutView, FormState } from './view.ts'

/** The functions of the payer's pages. Each function returns undefined if the link is wrong or has expired. */
export type CheckoutDeps = {
  readonly sandbox: boolean
  limit(token: string, cost: Cost): number | undefined
  /** Opens the order. The payer's browser determines which methods are available. */
  open(token: string, userAgent?: string): Promise<CheckoutView | undefined>
  pay(token: string, form: Form, browser: Browser): Promise<PayResult | undefined>
  /** Cancels the order, or only the current attempt. After that, the payer can use another method. */
  cancel(token: string, what: 'order' | 'attempt'): Promise<CheckoutView | undefined>
  complete(token: string, answer: Form): Promise<Pick<CheckoutView, 'action'> | undefined>
  pageVersion(token: string): Promise<string | undefined>
  /** Opens a stream of page versions. `stream` is undefined if there are too many streams. */
  listen(token: string): Promise<{ readonly stream: Readable | undefined } | undefined>
  logo(token: string): Promise<Logo | undefined>
  close(): void
}

type Checkout = { readonly deps: CheckoutDeps; readonly pages: PageScope }
type Query = Readonly<Record<string, unknown>>

export function registerCheckout(app: FastifyInstance, deps: CheckoutDeps): void {
  const { sandbox, limit, logo } = deps
  const pages: PageScope = { at: 'pay', sandbox, missing: missingPage, broken: brokenPage, limit, logo }
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
    // If a payer reloads one of these addresses, the browser is redirected to the page of the order.
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
  })
}

async function show({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  const order = await deps.open(request.params.token, browserOf(request).userAgent)
  if (order === undefined) return sendMissing(pages, request, reply)
  const query = queryOf(request)
  // A payer who returned from the wallet by a link or the back button must not be sent to the wallet again.
  const isLink = Object.keys(query).length === 0
  const continues = isLink ? !order.maySwitch : query.back === undefined
  const { action } = order
  const wallet = action?.kind === 'redirect' ? webAddress(action.url) : undefined
  // A redirect or refresh would send the shop's Referer or none, but never ours. A link that the script clicks sends
  // ours.
  const needsReferrer = action?.kind === 'redirect' && action.referrer === 'origin'
  const needsForm = action?.kind === 'redirect' && action.fields !== undefined
  const context = contextOf(pages, request)
  // Wallets cannot be opened in frames. In a frame, the script asks the shop's page to open our page in the whole
  // window.
  const byScript = needsReferrer || needsForm || context.isFramed === true
  if (wallet !== undefined && continues && !byScript) {
    // If one of our forms led here, our form-action policy would block a redirect to another origin. In this case the
    // page uses a refresh.
    if (isLink) return reply.redirect(wallet.href, 303)
    reply.header('refresh', `0; url=${wallet.href}`)
  }
  const isStale = query.stale !== undefined && order.status === 'choosing'
  const formState: FormState = { values: {}, problems: {}, notice: isStale ? 'stale' : undefined }
  // A payer who left the bank's challenge without a decision must not be sent to the bank again automatically.
  const autoContinue = action?.kind === 'challenge' ? query.back === undefined : byScript && continues
  return sendPay(reply, 200, { ...context, autoContinue }, order, formState)
}

/** Sends the payer's page. Only a wallet that requires our origin gets a referrer. */
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
    frameSources: context.isFramed ? frameSourcesOf(action) : [],
    isFixed: Object.keys(formState.values).length === 0,
  })
}

/**
 * Returns the allowed targets of the page's form: all hosts with the same scheme as the target. A browser also applies
 * the policy to every host to which the target redirects, and these hosts cannot be known in advance. The page has no
 * fields to type into. Therefore a form that an attacker injected could send only data that is meant for the bank. If
 * the target uses https, plain http stays forbidden.
 */
function formTargetsOf(action: PayerAction | undefined): string[] {
  if (action?.kind === 'challenge') return schemeOf(action.acsUrl)
  return action?.kind === 'redirect' && action.fields !== undefined ? schemeOf(action.url) : []
}

/**
 * Returns the allowed sources of the frame with the bank's challenge: the gateway, because the bank returns the payer
 * to it, and all hosts with the same scheme as the bank's page, because browsers also apply the policy to the bank's
 * redirects.
 */
function frameSourcesOf(action: PayerAction | undefined): string[] {
  return action?.kind === 'challenge' ? ["'self'", ...schemeOf(action.acsUrl)] : []
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
  // A form that was made before the latest attempt must not cancel that attempt.
  const isOld = ![undefined, String(order.attempts)].includes(formOf(request.body).attempt)
  if (may && !isOld) await deps.cancel(token, what)
  return toPage(request, reply, '?back')
}

/** Handles the payer's return. Wallets return the payer by a link, and banks by a form. */
async function complete({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  const answer = request.method === 'POST' ? formOf(request.body) : formOf(request.query)
  const order = await deps.complete(request.params.token, answer)
  if (order === undefined) return sendMissing(pages, request, reply)
  // If the bank has answered (`cres`), it may send another challenge, which continues automatically like the first. If
  // the bank has not answered, the payer has left the challenge.
  const hasLeft = order.action?.kind === 'challenge' && answer.cres === undefined
  if (isFramed(request)) return sendReturn({ deps, pages }, request, reply, hasLeft)
  return toPage(request, reply, order.action?.kind === 'redirect' || hasLeft ? '?back' : '')
}

/**
 * Sends a page into the bank's frame. The script of this page tells the order's page around the frame that the payer is
 * back.
 */
async function sendReturn(
  { deps, pages }: Checkout,
  request: LinkRequest,
  reply: FastifyReply,
  isOpen: boolean,
) {
  const order = await deps.open(request.params.token)
  if (order === undefined) return sendMissing(pages, request, reply)
  const page = returnPage(contextOf(pages, request), order, isOpen)
  return sendPage(reply, 200, page, { frameAncestors: ["'self'", ...order.frameAncestors] })
}

function toPage(request: LinkRequest, reply: FastifyReply, query = '') {
  return reply.redirect(`../${encodeURIComponent(request.params.token)}${query}`, 303)
}

async function sendPageVersion({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  const version = await deps.pageVersion(request.params.token)
  return version === undefined ? sendMissing(pages, request, reply) : reply.send({ mark: version })
}

/**
 * Opens a stream of updates. After status 204, the page must poll, because its earlier stream has ended or too many
 * streams are open.
 */
async function listen({ deps, pages }: Checkout, request: LinkRequest, reply: FastifyReply) {
  if (request.headers['last-event-id'] !== undefined) return reply.code(204).send()
  const listening = await deps.listen(request.params.token)
  if (listening === undefined) return sendMissing(pages, request, reply)
  if (listening.stream === undefined) return reply.code(204).send()
  // The header x-accel-buffering tells proxies not to buffer.
  return reply
    .headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    .send(listening.stream)
}

function queryOf({ query }: FastifyRequest): Query {
  return typeof query === 'object' && query !== null ? { ...query } : {}
}

const DAY_S = 86_400

/**
 * The headers of the script for shops. Every site may include the script, also with an integrity hash or under an
 * embedder policy. The messages of a script version never change, so an old copy of the script works with new pages.
 */
const forShops = {
  'cache-control': 'public, max-age=300',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

export function registerAssets(scope: FastifyInstance): void {
  const style = loadAsset('pay', 'css')
  scope.get('/assets/pay.css', (_request, reply) => style(reply))
  const dropIn = loadAsset('drop-in', 'js', forShops)
  scope.get('/drop-in.js', (_request, reply) => dropIn(reply))
  for (const file of Object.keys(scriptManifest())) {
    if (file === 'drop-in.js') continue
    const script = loadAsset(file.replace(/\.js$/, ''), 'js')
    scope.get(`/assets/${file}`, (_request, reply) => script(reply))
  }
  scope.get('/assets/accent/:file', sendAccent)
}

type AccentRequest = FastifyRequest<{ Params: { file: string } }>

/**
 * Sends the style sheet of a colour. The style sheet depends only on the colour in the address. Therefore the request
 * needs no secret and no merchant.
 */
async function sendAccent(request: AccentRequest, reply: FastifyReply) {
  const [, hex] = /^([0-9a-f]{6})\.css$/.exec(request.params.file) ?? []
  if (hex === undefined) return reply.code(404).type('text/plain').send('no such colour')
  return reply
    .header('cache-control', `public, max-age=${DAY_S}`)
    .type('text/css; charset=utf-8')
    .send(accentCss(hex))
}
