// The common parts of all pages behind a link. There is no session and no cookie. The secret in the link gives access,
// so a form on another site has no credentials to abuse. Posts from other sites are refused as well, except the form by
// which a bank returns the payer.
// No page may be cached, not even an error page. Only the pages of an order and of a payment link may be framed, and
// only by the sites that frames.ts allows. Browsers send our origin as referrer only to a wallet that requires it.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logo } from '../../money/merchants/logo.ts'
import { retryAfterOf } from '../../platform/http/server/unavailable.ts'
import { acceptForms } from '../../platform/pages/form.ts'
import { sendPage } from '../../platform/pages/page.ts'
import { isFramed } from './frames.ts'
import type { Cost } from './limits.ts'
import { messagePage, type PageContext, translationFor } from './page-layout.ts'

export type PageScope = {
  readonly at: 'pay' | 'payout' | 'link' | 'receipt'
  readonly sandbox: boolean
  missing(context: PageContext): string
  broken(context: PageContext): string
  /** Counts a request. Above the limit, returns the number of seconds to wait. */
  limit(token: string, cost: Cost, address: string): number | undefined
  logo(token: string): Promise<Logo | undefined>
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
    if (isForeignPost(request)) sendPage(reply, 403, pages.broken(contextOf(pages, request)))
    else if (!refuseTooMany(pages, request, reply)) done()
  })
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const retryAfter = retryAfterOf(error)
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    const status = retryAfter === undefined ? statusOf(error) : 503
    if (status === 500) request.log.error({ err: error }, 'a page failed')
    return sendPage(reply, status, pages.broken(contextOf(pages, request)))
  })
  scope.get(`/${pages.at}/:token/logo`, async (request: LinkRequest, reply) =>
    sendLogo(pages, await pages.logo(request.params.token), request, reply),
  )
  scope.all(`/${pages.at}/*`, (request, reply) => sendMissing(pages, request, reply))
}

/** Refuses a request above the limit before its body is read. Returns true if the request was refused. */
function refuseTooMany(pages: PageScope, request: FastifyRequest, reply: FastifyReply): boolean {
  const token = tokenOf(request)
  const waitSeconds = token === undefined ? undefined : pages.limit(token, costOf(request), request.ip)
  if (waitSeconds === undefined) return false
  const context = contextOf(pages, request)
  const translation = translationFor(context)
  const { busy: text, choose } = translation.words
  const page = messagePage(context, translation, { title: choose.paying, heading: choose.paying, text })
  sendPage(reply.header('retry-after', waitSeconds), 429, page)
  return true
}

function tokenOf({ params }: FastifyRequest): string | undefined {
  const isNamed = typeof params === 'object' && params !== null && 'token' in params
  return isNamed ? String(params.token) : undefined
}

/** Returns the cost of a request. The check of a form while the payer types is a post, but it only reads. */
function costOf({ method, routeOptions: { url = '' } }: FastifyRequest): Cost {
  const isPost = method !== 'GET' && method !== 'HEAD'
  return url.endsWith('/complete') || (isPost && !url.endsWith('/check')) ? 'call' : 'read'
}

export function sendMissing(pages: PageScope, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, pages.missing(contextOf(pages, request)))
}

function sendLogo(
  pages: PageScope,
  logo: Logo | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (logo === undefined) return sendMissing(pages, request, reply)
  return reply.header('cache-control', 'private, max-age=300').type(logo.type).send(logo.bytes)
}

export function contextOf({ sandbox }: Pick<PageScope, 'sandbox'>, request: FastifyRequest): PageContext {
  const [, ...steps] = pathOf(request).split('/')
  const basePath = steps.length === 2 ? `${steps[1]}/` : './'
  const assets = `${'../'.repeat(steps.length - 1)}assets`
  const acceptLanguage = request.headers['accept-language']
  return { sandbox, assets, basePath, isFramed: isFramed(request), acceptLanguage }
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}

/**
 * True for a post from another origin. Posts to `/complete` are exempt, because banks send forms there. Only our own
 * pages have all other forms.
 */
export function isForeignPost(request: FastifyRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  if (request.routeOptions.url?.endsWith('/complete')) return false
  const site = request.headers['sec-fetch-site'] ?? 'none'
  return site !== 'same-origin' && site !== 'none'
}

/** Returns the status for an error. Client errors keep their status, such as 413 for a body that is too long. */
function statusOf(error: FastifyError): number {
  return error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500
}
