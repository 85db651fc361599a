// The routes of payment links. Opening a link only reads, because mail scanners and chat previews also open links. The
// order is made when the payer continues.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logo } from '../../../money/merchants/logo.ts'
import { formOf } from '../../../platform/pages/form.ts'
import { sendPage } from '../../../platform/pages/page.ts'
import type { Cost } from '../limits.ts'
import type { PageContext } from '../page-layout.ts'
import { contextOf, type LinkRequest, openPageScope, type PageScope, sendMissing } from '../page-scope.ts'
import { brokenPage } from '../pay-page.ts'
import { type LinkAnswer, type LinkFormState, type LinkView, linkPage, missingLinkPage } from './link-page.ts'

export type LinkPageDeps = {
  readonly sandbox: boolean
  limit(linkId: string, cost: Cost, address: string): number | undefined
  open(linkId: string): Promise<LinkView | undefined>
  /** Makes the order, or finds the unpaid order that the link has already made. */
  begin(linkId: string, amount: string, address: string): Promise<Begun | undefined>
  logo(linkId: string): Promise<Logo | undefined>
}

export type Begun =
  | { readonly kind: 'order'; readonly token: string }
  | { readonly kind: 'invalid'; readonly formState: LinkFormState }
  | { readonly kind: 'unavailable' }
  /** The link can no longer be paid. The link's page says why. */
  | { readonly kind: 'ended' }

type Scope = { readonly deps: LinkPageDeps; readonly pages: PageScope }

export function registerLinkPage(app: FastifyInstance, deps: LinkPageDeps): void {
  const { sandbox, limit, logo } = deps
  const pages: PageScope = { at: 'link', sandbox, missing: missingLinkPage, broken: brokenPage, limit, logo }
  const of = { deps, pages }
  app.register(async (scope) => {
    openPageScope(scope, pages)
    scope.get('/link/:token', (request: LinkRequest, reply) => show(of, request, reply))
    scope.post('/link/:token', (request: LinkRequest, reply) => begin(of, request, reply))
  })
}

async function show({ deps, pages }: Scope, request: LinkRequest, reply: FastifyReply) {
  const link = await deps.open(request.params.token)
  if (link === undefined) return sendMissing(pages, request, reply)
  const isOpen = link.status === 'active' || link.status === 'claimed'
  return sendLink(reply, isOpen ? 200 : 410, contextOf(pages, request), link, { amount: '' })
}

function sendLink(
  reply: FastifyReply,
  status: number,
  context: PageContext,
  link: LinkView,
  formState: LinkFormState,
  answer?: LinkAnswer,
) {
  const frameAncestors = context.isFramed ? link.frameAncestors : []
  return sendPage(reply, status, linkPage(context, link, formState, answer), { frameAncestors })
}

async function begin(of: Scope, request: LinkRequest, reply: FastifyReply) {
  const { deps, pages } = of
  const { token } = request.params
  const begun = await deps.begin(token, formOf(request.body).amount ?? '', request.ip)
  // The redirect is relative, so that it works behind a proxy that adds a path, and with every host name of this
  // gateway.
  if (begun?.kind === 'order') return reply.redirect(`../pay/${encodeURIComponent(begun.token)}`, 303)
  if (begun === undefined || begun.kind === 'ended') return show(of, request, reply)
  const link = await deps.open(token)
  if (link === undefined) return sendMissing(pages, request, reply)
  const context = contextOf(pages, request)
  if (begun.kind === 'unavailable') return sendLink(reply, 503, context, link, { amount: '' }, 'unavailable')
  const status = begun.formState.notice === undefined ? 422 : 429
  return sendLink(reply, status, context, link, begun.formState)
}
