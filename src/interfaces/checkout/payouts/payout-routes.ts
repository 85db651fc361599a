// The beneficiary's routes. There is no session and no cookie: the token in the link gives access.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logo } from '../../../money/merchants/logo.ts'
import { type Form, formOf } from '../../../platform/pages/form.ts'
import { sendPage } from '../../../platform/pages/page.ts'
import type { Notice } from '../../../platform/pages/translations/en.ts'
import { accountKinds, type InterfaceAccount } from '../../../rails/contract/payout-rail.ts'
import type { Cost } from '../limits.ts'
import { contextOf, openPageScope, type PageScope, sendMissing } from '../page-scope.ts'
import type { Problems } from '../view.ts'
import { readPayoutForm } from './payout-form.ts'
import {
  brokenPayoutPage,
  missingPayoutPage,
  type PayoutFormState,
  type PayoutView,
  payoutPage,
  problemTexts,
} from './payout-page.ts'

export type PayoutPageDeps = {
  readonly sandbox: boolean
  limit(token: string, cost: Cost): number | undefined
  /** Finds the payout. Returns undefined if the link is wrong or has expired. */
  open(token: string): Promise<PayoutView | undefined>
  /** Returns the problems of the account while it is being typed. Returns undefined after too many checks. */
  check(token: string, kind: InterfaceAccount, form: Form): Problems | undefined
  /** Submits the account. Returns the account's problems, or the notice to show. */
  enter(token: string, kind: InterfaceAccount, values: Form, address: string): Promise<Entered>
  logo(token: string): Promise<Logo | undefined>
}

export type Entered = { readonly problems: Problems; readonly notice?: Notice }

type PageRequest = FastifyRequest<{ Params: { token: string }; Querystring: { kind?: string } }>
type Scope = { readonly deps: PayoutPageDeps; readonly pages: PageScope }

export function registerPayoutPage(app: FastifyInstance, deps: PayoutPageDeps): void {
  const { sandbox, limit, logo } = deps
  const [missing, broken] = [missingPayoutPage, brokenPayoutPage]
  const pages: PageScope = { at: 'payout', sandbox, missing, broken, limit, logo }
  const of = { deps, pages }
  app.register(async (scope) => {
    openPageScope(scope, pages)
    scope.get('/payout/:token', (request: PageRequest, reply) => show(of, request, reply))
    scope.post('/payout/:token', (request: PageRequest, reply) => enter(of, request, reply))
    scope.post('/payout/:token/check', (request: PageRequest, reply) => check(of, request, reply))
  })
}

async function show({ deps, pages }: Scope, request: PageRequest, reply: FastifyReply) {
  const payout = await deps.open(request.params.token)
  if (payout === undefined) return sendMissing(pages, request, reply)
  const kind = chosenKind(payout, request.query.kind)
  const page = payoutPage(contextOf(pages, request), payout, { kind, values: {}, problems: {} })
  return sendPage(reply, 200, page, { isFixed: true })
}

async function enter({ deps, pages }: Scope, request: PageRequest, reply: FastifyReply) {
  const { token } = request.params
  const payout = await deps.open(token)
  if (payout === undefined) return sendMissing(pages, request, reply)
  const formState = await fill(deps, payout, request)
  if (formState === undefined) return reply.redirect(encodeURIComponent(token), 303)
  const status = formState.notice === 'tooManyAttempts' ? 429 : 422
  return sendPage(reply, status, payoutPage(contextOf(pages, request), payout, formState))
}

/**
 * Submits the account. Returns undefined if the account was accepted, or if the payout does not wait for an account any
 * more.
 */
async function fill(
  deps: PayoutPageDeps,
  payout: PayoutView,
  { params, body, ip }: PageRequest,
): Promise<PayoutFormState | undefined> {
  if (payout.status !== 'asks-account') return undefined
  const form = formOf(body)
  const kind = chosenKind(payout, form.kind)
  const { values, problems } = readPayoutForm(kind, form)
  if (Object.keys(problems).length > 0) return { kind, values, problems }
  const entered = await deps.enter(params.token, kind, values, ip)
  const isAccepted = entered.notice === undefined && Object.keys(entered.problems).length === 0
  return isAccepted ? undefined : { kind, values, ...entered }
}

async function check({ deps, pages }: Scope, request: PageRequest, reply: FastifyReply) {
  const { token } = request.params
  const payout = await deps.open(token)
  if (payout === undefined) return sendMissing(pages, request, reply)
  const form = formOf(request.body)
  const problems = deps.check(token, chosenKind(payout, form.kind), form)
  if (problems === undefined) return reply.code(429).send({ problems: {} })
  return reply.send({ problems: problemTexts(contextOf(pages, request), payout, problems) })
}

function chosenKind({ kinds }: PayoutView, wanted: string | undefined): InterfaceAccount {
  return kinds.find((kind) => kind === wanted) ?? kinds[0] ?? accountKinds[0]
}
