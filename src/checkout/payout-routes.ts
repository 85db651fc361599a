// The beneficiary's scope: no session and no cookie, the link is the key.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AccountKind, accountKinds } from '../channels/payout/contract.ts'
import type { Logo } from '../merchants/logo.ts'
import { type Form, formOf } from '../pages/form.ts'
import { sendPage } from '../pages/page.ts'
import type { Notice } from '../pages/words/en.ts'
import type { Problems } from './filling.ts'
import type { Cost } from './link-limits.ts'
import { frameOf, openPageScope, type PageScope, sendLogo, sendMissing } from './page-scope.ts'
import { readPayoutForm } from './payout-form.ts'
import { brokenPayoutPage, missingPayoutPage, payoutPage, problemTexts } from './payout-page.ts'
import type { Filling, PayoutView } from './payout-view.ts'

export type PayoutPageDeps = {
  readonly sandbox: boolean
  /** Counts a request. When the link is used too often: in how many seconds it is served again. */
  limit(token: string, cost: Cost): number | undefined
  /** The payout behind a page link; undefined when the link is wrong or too old. */
  open(token: string): Promise<PayoutView | undefined>
  /** What is wrong with the account as far as it is typed; undefined when that was asked too often. */
  check(token: string, kind: AccountKind, form: Form): Problems | undefined
  /** Gives the account; what is wrong with it, if anything. */
  enter(token: string, kind: AccountKind, values: Form, address: string): Promise<Entered>
  logo(token: string): Promise<Logo | undefined>
}

export type Entered = { readonly problems: Problems; readonly notice?: Notice }

type PageRequest = FastifyRequest<{ Params: { token: string }; Querystring: { kind?: string } }>
type Scope = { readonly deps: PayoutPageDeps; readonly pages: PageScope }

export function registerPayoutPage(app: FastifyInstance, deps: PayoutPageDeps): void {
  const { sandbox, limit } = deps
  const [missing, broken] = [missingPayoutPage, brokenPayoutPage]
  const pages: PageScope = { at: 'payout', sandbox, missing, broken, limit }
  const of = { deps, pages }
  app.register(async (scope) => {
    openPageScope(scope, pages)
    scope.get('/payout/:token', (request: PageRequest, reply) => show(of, request, reply))
    scope.post('/payout/:token', (request: PageRequest, reply) => enter(of, request, reply))
    scope.post('/payout/:token/check', (request: PageRequest, reply) => check(of, request, reply))
    scope.get('/payout/:token/logo', async (request: PageRequest, reply) =>
      sendLogo(pages, await deps.logo(request.params.token), request, reply),
    )
  })
}

async function show({ deps, pages }: Scope, request: PageRequest, reply: FastifyReply) {
  const payout = await deps.open(request.params.token)
  if (payout === undefined) return sendMissing(pages, request, reply)
  const kind = chosenKind(payout, request.query.kind)
  const page = payoutPage(frameOf(pages, request), payout, { kind, values: {}, problems: {} })
  return sendPage(reply, 200, page)
}

async function enter({ deps, pages }: Scope, request: PageRequest, reply: FastifyReply) {
  const { token } = request.params
  const payout = await deps.open(token)
  if (payout === undefined) return sendMissing(pages, request, reply)
  const filling = await fill(deps, payout, request)
  // Relative, so that it holds behind a proxy that adds a path.
  if (filling === undefined) return reply.redirect(encodeURIComponent(token), 303)
  const status = filling.notice === 'tooManyTries' ? 429 : 422
  return sendPage(reply, status, payoutPage(frameOf(pages, request), payout, filling))
}

/** Undefined when there is nothing left to fill in. */
async function fill(
  deps: PayoutPageDeps,
  payout: PayoutView,
  { params, body, ip }: PageRequest,
): Promise<Filling | undefined> {
  if (payout.status !== 'asks-account') return undefined
  const form = formOf(body)
  const kind = chosenKind(payout, form.kind)
  const { values, problems } = readPayoutForm(kind, form)
  if (Object.keys(problems).length > 0) return { kind, values, problems }
  const entered = await deps.enter(params.token, kind, values, ip)
  const isTaken = entered.notice === undefined && Object.keys(entered.problems).length === 0
  return isTaken ? undefined : { kind, values, ...entered }
}

/** For the script, while the account is being typed. */
async function check({ deps, pages }: Scope, request: PageRequest, reply: FastifyReply) {
  const { token } = request.params
  const payout = await deps.open(token)
  if (payout === undefined) return sendMissing(pages, request, reply)
  const form = formOf(request.body)
  const problems = deps.check(token, chosenKind(payout, form.kind), form)
  if (problems === undefined) return reply.code(429).send({ problems: {} })
  return reply.send({ problems: problemTexts(frameOf(pages, request), payout, problems) })
}

function chosenKind({ kinds }: PayoutView, wanted: string | undefined): AccountKind {
  return kinds.find((kind) => kind === wanted) ?? kinds[0] ?? accountKinds[0]
}
