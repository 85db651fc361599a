// What every page behind a link has alike. No session and no cookie: the link is the key, so there is nothing that another
// site's form could borrow; posts that a browser says come from another site are refused all the same, but for the bank's
// answer. Every answer, error pages too, is kept by no cache and framed by nobody. No other site learns where its payer came
// from, but for a wallet that asks for our origin.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logo } from '../merchants/logo.ts'
import { acceptForms } from '../pages/form.ts'
import { sendPage } from '../pages/page.ts'
import { Overloaded } from '../postgres/batch.ts'
import { type Frame, lonePage, tongueFor } from './framed-page.ts'
import type { Cost } from './link-limits.ts'

export type PageScope = {
  /** First part of the address: /pay/…, /payout/… */
  readonly at: 'pay' | 'payout'
  readonly sandbox: boolean
  missing(frame: Frame): string
  broken(frame: Frame): string
  /** Counts a request. When the link is used too often: in how many seconds it is served again. */
  limit(token: string, cost: Cost): number | undefined
}

export type LinkRequest = FastifyRequest<{ Params: { token: string } }>

const MAX_FORM_BYTES = 16_384

const guard = {
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

export function openPageScope(scope: FastifyInstance, pages: PageScope): void {
  acceptForms(scope, MAX_FORM_BYTES)
  scope.addHook('onRequest', (request, reply, done) => {
    reply.headers(guard)
    if (isForeignPost(request)) sendPage(reply, 403, pages.broken(frameOf(pages, request)))
    else if (!isTooOften(pages, request, reply)) done()
  })
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const status = statusOf(error)
    if (status === 500) request.log.error({ err: error }, 'a page failed')
    return sendPage(reply, status, pages.broken(frameOf(pages, request)))
  })
  scope.all(`/${pages.at}/*`, (request, reply) => sendMissing(pages, request, reply))
}

/** Before the body is read. True when it has been answered. */
function isTooOften(pages: PageScope, request: FastifyRequest, reply: FastifyReply): boolean {
  const token = tokenOf(request)
  const waitSeconds = token === undefined ? undefined : pages.limit(token, costOf(request))
  if (waitSeconds === undefined) return false
  const frame = frameOf(pages, request)
  const tongue = tongueFor(frame)
  const { busy: text, choose } = tongue.words
  const page = lonePage(frame, tongue, { title: choose.paying, heading: choose.paying, text })
  sendPage(reply.header('retry-after', waitSeconds), 429, page)
  return true
}

function tokenOf({ params }: FastifyRequest): string | undefined {
  const isNamed = typeof params === 'object' && params !== null && 'token' in params
  return isNamed ? String(params.token) : undefined
}

/** What a script asks while somebody types looks at nothing but the form. */
function costOf({ method, routeOptions: { url = '' } }: FastifyRequest): Cost {
  const isPost = method !== 'GET' && method !== 'HEAD'
  return url.endsWith('/complete') || (isPost && !url.endsWith('/check')) ? 'call' : 'look'
}

export function sendMissing(pages: PageScope, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, pages.missing(frameOf(pages, request)))
}

export function sendLogo(
  pages: PageScope,
  logo: Logo | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (logo === undefined) return sendMissing(pages, request, reply)
  return reply.header('cache-control', 'private, max-age=300').type(logo.type).send(logo.bytes)
}

/** Addresses seen from the page's own, so that they hold behind a proxy that adds a path. */
export function frameOf({ sandbox }: Pick<PageScope, 'sandbox'>, request: FastifyRequest): Frame {
  const [, ...steps] = pathOf(request).split('/')
  const own = steps.length === 2 ? `${steps[1]}/` : './'
  const assets = `${'../'.repeat(steps.length - 1)}assets`
  return { sandbox, assets, own, acceptLanguage: request.headers['accept-language'] }
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}

/** Other ports and subdomains count as foreign too: our forms stand on our own pages alone. */
function isForeignPost(request: FastifyRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  if (request.routeOptions.url?.endsWith('/complete')) return false
  const site = request.headers['sec-fetch-site'] ?? 'none'
  return site !== 'same-origin' && site !== 'none'
}

/** What the caller did wrong (too long, not a form) is no fault of ours. */
function statusOf(error: FastifyError): number {
  if (error instanceof Overloaded) return 503
  return error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500
}
