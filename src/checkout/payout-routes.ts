// The beneficiary's scope: no session and no cookie, the link is the key.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type AccountKind, accountKinds } from '../channels/payout/contract.ts'
import { acceptForms, type Form, formOf } from '../pages/form.ts'
import { sendPage } from '../pages/page.ts'
import { readPayoutForm } from './payout-form.ts'
import {
  brokenPayoutPage,
  type Filling,
  missingPayoutPage,
  type PayoutView,
  payoutPage,
} from './payout-page.ts'

export type PayoutPageDeps = {
  readonly sandbox: boolean
  /** The payout behind a page link; undefined when the link is wrong or too old. */
  open(token: string): Promise<PayoutView | undefined>
  /** Gives the account; what is wrong with it, if anything, by field or as a whole (''). */
  enter(token: string, kind: AccountKind, values: Form): Promise<Readonly<Record<string, string>>>
}

type PageRequest = FastifyRequest<{ Params: { token: string }; Querystring: { kind?: string } }>

const MAX_FORM_BYTES = 16_384
const assets = '../assets'

export function registerPayoutPage(app: FastifyInstance, deps: PayoutPageDeps): void {
  const frame = { sandbox: deps.sandbox, assets }
  app.register(async (scope) => {
    acceptForms(scope, MAX_FORM_BYTES)
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const status = error.statusCode !== undefined && error.statusCode < 500 ? error.statusCode : 500
      if (status === 500) request.log.error({ err: error }, 'a payout page failed')
      return sendPage(reply, status, brokenPayoutPage(frame))
    })
    scope.get('/payout/:token', (request: PageRequest, reply) => show(deps, request, reply))
    scope.post('/payout/:token', (request: PageRequest, reply) => enter(deps, request, reply))
  })
}

async function show(deps: PayoutPageDeps, request: PageRequest, reply: FastifyReply) {
  const frame = { sandbox: deps.sandbox, assets }
  const payout = await deps.open(request.params.token)
  if (payout === undefined) return sendPage(reply, 404, missingPayoutPage(frame))
  const kind = chosenKind(payout, request.query.kind)
  return sendPage(reply, 200, payoutPage(frame, payout, { kind, values: {}, problems: {} }))
}

async function enter(deps: PayoutPageDeps, request: PageRequest, reply: FastifyReply) {
  const { token } = request.params
  const frame = { sandbox: deps.sandbox, assets }
  const payout = await deps.open(token)
  if (payout === undefined) return sendPage(reply, 404, missingPayoutPage(frame))
  const form = formOf(request.body)
  const kind = chosenKind(payout, form.kind)
  const filling = await fill(deps, token, payout, kind, form)
  if (filling !== undefined) return sendPage(reply, 422, payoutPage(frame, payout, filling))
  // Relative, so that it holds behind a proxy that adds a path.
  return reply.header('cache-control', 'no-store').redirect(encodeURIComponent(token), 303)
}

/** Undefined when there is nothing left to fill in. */
async function fill(
  deps: PayoutPageDeps,
  token: string,
  payout: PayoutView,
  kind: AccountKind,
  form: Form,
): Promise<Filling | undefined> {
  if (payout.status !== 'asks-account') return undefined
  const { values, problems } = readPayoutForm(kind, form)
  if (Object.keys(problems).length > 0) return { kind, values, problems }
  const { '': notice, ...more } = await deps.enter(token, kind, values)
  return notice === undefined && Object.keys(more).length === 0
    ? undefined
    : { kind, values, problems: more, notice }
}

function chosenKind({ kinds }: PayoutView, wanted: string | undefined): AccountKind {
  return kinds.find((kind) => kind === wanted) ?? kinds[0] ?? accountKinds[0]
}
