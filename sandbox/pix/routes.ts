// The Pix API of the sandbox's bank: charges, refunds, and one webhook per key.
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../src/platform/base/clock.ts'
import { replaceSecret } from '../../src/platform/base/secret-file.ts'
import { acceptForms, formOf } from '../../src/platform/pages/form.ts'
import type { Bank } from '../bank/bank.ts'
import type { BankCharge } from '../bank/charge.ts'
import { fieldsOf, InvalidRequest, readAddress, readText } from '../issuer-request.ts'
import { staySilent } from '../silent-reply.ts'
import { endToEndIdOf, readCob, readValor, statuses, toCob, toDevolucao } from './cob.ts'
import { registerReceived } from './received.ts'
import type { Tokens } from './tokens.ts'

export type PixApiOptions = {
  readonly bank: Bank
  readonly tokens: Tokens
  readonly webhook: Webhook
  readonly clock: Clock
  readonly url: () => string
  readonly payerUrlOf: (charge: BankCharge) => string
  /**
   * Resolves to true if the server may be registered for webhooks. If the function is missing, every server may be
   * registered.
   */
  readonly mayRegister?: ((webhookUrl: string) => Promise<boolean>) | undefined
}

/** The key owner's webhook address, which is stored in a file to survive restarts. */
export type Webhook = { get(): string; set(url: string): void }

export function storedWebhook(file: string): Webhook {
  return {
    get() {
      try {
        return readFileSync(file, 'utf8')
      } catch {
        return ''
      }
    },
    set: (url) => replaceSecret(file, url),
  }
}

type CobRequest = FastifyRequest<{ Params: { txid: string } }>
type DevolucaoRequest = FastifyRequest<{ Params: { e2eid: string; id: string } }>

const txidPattern = /^[a-zA-Z0-9]{26,35}$/
const MAX_CACHED = 10_000

export const API_PATH = '/pix/v2'
export const QR_PATH = '/pix/qr'

export function registerPixApi(app: FastifyInstance, options: PixApiOptions): void {
  const { bank, payerUrlOf } = options
  app.get<{ Params: { id: string } }>(`${QR_PATH}/:id`, (request, reply) => {
    const charge = bank.findById(request.params.id)
    return charge === undefined
      ? problem(reply, 404, 'NaoEncontrado')
      : reply.redirect(payerUrlOf(charge), 303)
  })
  app.register(
    async (scope) => {
      acceptForms(scope, 16_384)
      scope.setErrorHandler((error, _request, reply) => {
        if (!(error instanceof InvalidRequest)) throw error
        return problem(reply, 400, 'CobOperacaoInvalida', error.message)
      })
      registerToken(scope, options)
      registerCharges(scope, options)
    },
    { prefix: API_PATH },
  )
}

function registerToken(scope: FastifyInstance, { tokens, clock }: PixApiOptions): void {
  scope.post('/oauth/token', (request, reply) => {
    const { authorization } = request.headers
    const issued = tokens.issue({ authorization, form: formOf(request.body) }, clock.now())
    if (issued === 'invalid_client') return reply.code(401).send({ error: issued })
    if (issued === 'invalid_scope') return reply.code(400).send({ error: issued })
    const { token, lifeS, scope } = issued
    return reply.send({ access_token: token, token_type: 'Bearer', expires_in: lifeS, scope })
  })
}

function registerCharges(parent: FastifyInstance, options: PixApiOptions): void {
  const { bank, tokens, clock } = options
  const paidBy = new Map<string, string>()
  const sendCob = (reply: FastifyReply, status: number, charge: BankCharge) => {
    if (paidBy.size > MAX_CACHED) paidBy.clear()
    // A later refund names only the Pix, so the charge of each Pix is kept in memory.
    for (const deposit of charge.deposits) paidBy.set(endToEndIdOf(deposit), charge.reference)
    const dispute = bank.findDispute(charge.reference)
    return reply.code(status).send(toCob(charge, placeOf(options, charge), dispute))
  }
  parent.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const scopes = tokens.scopesOf(request.headers.authorization, clock.now())
      if (scopes === undefined) return problem(reply, 401, 'AcessoNegado')
      const [, part = ''] = request.url.slice(API_PATH.length).split(/[/?]/)
      const needed = `${part}.${request.method === 'GET' ? 'read' : 'write'}`
      if (!scopes.includes(needed))
        return problem(reply, 403, 'AcessoNegado', `the scope ${needed} is missing`)
    })
    registerReceived(scope, options)
    registerWebhook(scope, options)
    scope.put('/cob/:txid', (request: CobRequest, reply) => open(options, request, reply, sendCob))
    scope.get('/cob/:txid', (request: CobRequest, reply) => {
      const charge = bank.find(request.params.txid)
      return charge === undefined ? problem(reply, 404, 'NaoEncontrado') : sendCob(reply, 200, charge)
    })
    scope.patch('/cob/:txid', (request: CobRequest, reply) => remove(bank, request, reply, sendCob))
    const devolucao = '/pix/:e2eid/devolucao/:id'
    scope.put(devolucao, (request: DevolucaoRequest, reply) => {
      const reference = paidBy.get(request.params.e2eid)
      if (reference === undefined) return problem(reply, 404, 'NaoEncontrado')
      const amount = readValor(fieldsOf(request.body).valor)
      const order = { refundReference: request.params.id, reference, amount, currency: 'BRL' }
      return reply.code(201).send(toDevolucao(bank.refund(order)))
    })
    scope.get(devolucao, (request: DevolucaoRequest, reply) => {
      const refund = bank.findRefund(request.params.id)
      return refund === undefined ? problem(reply, 404, 'NaoEncontrado') : reply.send(toDevolucao(refund))
    })
  })
}

function registerWebhook(scope: FastifyInstance, { webhook, clock, mayRegister }: PixApiOptions): void {
  scope.put('/webhook/:chave', async (request, reply) => {
    const url = readAddress(fieldsOf(request.body), 'webhookUrl')
    const isSkipped = request.headers['x-skip-mtls-checking'] === 'true'
    if (mayRegister !== undefined && !isSkipped && !(await mayRegister(url)))
      return problem(reply, 400, 'WebhookOperacaoInvalida', 'the server did not ask for a certificate')
    webhook.set(url)
    return reply.code(200).send({})
  })
  scope.get<{ Params: { chave: string } }>('/webhook/:chave', (request, reply) => {
    const webhookUrl = webhook.get()
    if (webhookUrl === '') return problem(reply, 404, 'NaoEncontrado')
    return reply.send({ webhookUrl, chave: request.params.chave, criacao: clock.now().toISOString() })
  })
}

type SendCob = (reply: FastifyReply, status: number, charge: BankCharge) => FastifyReply

function open({ bank, webhook }: PixApiOptions, request: CobRequest, reply: FastifyReply, sendCob: SendCob) {
  const txid = readText(request.params, 'txid', txidPattern)
  if (bank.find(txid) !== undefined) return problem(reply, 400, 'CobOperacaoInvalida', 'the txid is taken')
  const opening = bank.open(readCob(txid, fieldsOf(request.body), webhook.get()))
  if (opening.kind === 'silent') return staySilent(reply)
  return opening.kind === 'opened'
    ? sendCob(reply, 201, opening.charge)
    : problem(reply, 400, 'CobOperacaoInvalida', 'the charge was refused')
}

function remove(bank: Bank, request: CobRequest, reply: FastifyReply, sendCob: SendCob): FastifyReply {
  const { txid } = request.params
  if (bank.find(txid) === undefined) return problem(reply, 404, 'NaoEncontrado')
  if (fieldsOf(request.body).status !== statuses.cancelled)
    throw new InvalidRequest('only removal is supported')
  const charge = bank.cancel(txid)
  return charge.status === 'cancelled'
    ? sendCob(reply, 200, charge)
    : problem(reply, 400, 'CobOperacaoInvalida', 'the charge is decided')
}

function placeOf({ url, payerUrlOf }: PixApiOptions, charge: BankCharge) {
  const location = `${url()}${QR_PATH}/${charge.id}`.replace(/^https?:\/\//, '')
  return { location, payerUrl: payerUrlOf(charge) }
}

export function problem(reply: FastifyReply, status: number, kind: string, detail = ''): FastifyReply {
  const type = `https://pix.bcb.gov.br/api/v2/error/${kind}`
  return reply.code(status).send({ type, title: kind, status, detail })
}
