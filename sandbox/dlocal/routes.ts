// dLocal's API for payments. Every request is signed, order ids are unique, and errors have a code.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../src/platform/base/clock.ts'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import { type Bank, REFUND_MS } from '../bank/bank.ts'
import type { BankCharge } from '../bank/charge.ts'
import { InvalidRequest, readText } from '../issuer-request.ts'
import { staySilent } from '../silent-reply.ts'
import { methodsIn, paymentJson, readAmount, readPayment, refundId, refundJson } from './payment.ts'
import { isSigned, type Keys } from './signature.ts'

export type DlocalParts = {
  readonly bank: Bank
  readonly keys: Keys
  readonly clock: Clock
  readonly payerUrlOf: (charge: BankCharge) => string
  /** Sends a signed notification. */
  readonly notify: (url: string, body: string) => void
}

type ById = { Params: { id: string } }

export const API_PATH = '/dlocal'
const MAX_BODY_BYTES = 65_536

export function registerDlocalApi(app: FastifyInstance, parts: DlocalParts): void {
  const { bank, keys, clock, payerUrlOf, notify } = parts
  const sendPayment = (reply: FastifyReply, charge: BankCharge) =>
    sendJson(reply, paymentJson(charge, payerUrlOf(charge)))
  app.register(
    async (scope) => {
      acceptText(scope)
      scope.addHook('preHandler', async (request, reply) => {
        if (!isSigned(keys, request.headers, textOf(request), clock.now()))
          return problem(reply, 403, 3001, 'Invalid credentials')
      })
      scope.setErrorHandler((error, _request, reply) => {
        if (error instanceof InvalidRequest) return problem(reply, 400, 5001, error.message)
        throw error
      })
      scope.get<{ Querystring: { country?: string } }>('/payments-methods', (request) =>
        methodsIn(request.query.country ?? ''),
      )
      scope.post('/payments', (request, reply) => {
        const order = readPayment(bodyOf(request))
        if (bank.find(order.reference) !== undefined)
          return problem(reply, 400, 5009, 'Order ID is duplicated')
        const opening = bank.open(order)
        if (opening.kind === 'silent') return staySilent(reply)
        if (opening.kind === 'refused') return problem(reply, 400, 5007, 'Amount not allowed')
        return sendPayment(reply, opening.charge)
      })
      scope.get<ById>('/orders/:id', (request, reply) => {
        const charge = bank.find(request.params.id)
        return charge === undefined ? notFound(reply) : sendPayment(reply, charge)
      })
      scope.get<ById>('/payments/:id/status', (request, reply) => {
        const charge = findPayment(bank, request.params.id)
        return charge === undefined ? notFound(reply) : sendPayment(reply, charge)
      })
      scope.post<ById>('/payments/:id/cancel', (request, reply) => {
        const charge = findPayment(bank, request.params.id)
        if (charge === undefined) return notFound(reply)
        if (charge.status !== 'open') return problem(reply, 400, 5002, 'Invalid transaction status')
        return sendPayment(reply, bank.cancel(charge.reference))
      })
      registerRefunds(scope, bank, notify)
    },
    { prefix: API_PATH },
  )
}

function registerRefunds(scope: FastifyInstance, bank: Bank, notify: DlocalParts['notify']): void {
  /** The references of a refund and of its payment, by dLocal's id of the refund. */
  const known = new Map<string, readonly [refund: string, reference: string]>()
  const timers = new Set<NodeJS.Timeout>()
  scope.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer)
  })
  const jsonOf = (id: string) => {
    const [refundReference = '', reference = ''] = known.get(id) ?? []
    const [refund, charge] = [bank.findRefund(refundReference), bank.find(reference)]
    return refund === undefined || charge === undefined ? undefined : refundJson(refund, charge)
  }
  const notifyLater = (to: string, id: string) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      notify(to, jsonOf(id) ?? '')
    }, REFUND_MS + 50)
    timers.add(timer)
  }
  scope.post('/refunds', (request, reply) => {
    const body = bodyOf(request)
    const charge = findPayment(bank, readText(body, 'payment_id', /^[\w-]{1,100}$/))
    if (charge === undefined) return notFound(reply)
    const amount = readAmount(body, charge.currency)
    // Every request makes another refund, because dLocal does not use the merchant's reference to detect repeated
    // requests.
    const refundReference = `${readText(body, 'order_refund_id', /^[\w-]{1,100}$/)}-${known.size}`
    const order = { refundReference, reference: charge.reference, amount, currency: charge.currency }
    const refund = bank.refund(order)
    known.set(refundId(refund), [refundReference, charge.reference])
    if (typeof body.notification_url === 'string') notifyLater(body.notification_url, refundId(refund))
    return sendJson(reply, refundJson(refund, charge))
  })
  scope.get<ById>('/refunds/:id', (request, reply) => {
    const json = jsonOf(request.params.id)
    return json === undefined ? notFound(reply) : sendJson(reply, json)
  })
}

/** Reads bodies as text, because the signature covers the raw body. */
export function acceptText(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
    done(null, body),
  )
}

function textOf({ body }: FastifyRequest): string {
  return typeof body === 'string' ? body : ''
}

export function bodyOf(request: FastifyRequest): Fields {
  const body: unknown = JSON.parse(textOf(request) || 'null')
  if (!isObject(body)) throw new InvalidRequest('an object is missing')
  return body
}

function findPayment(bank: Bank, id: string): BankCharge | undefined {
  return bank.findById(id.replace(/^D-4-/, ''))
}

function notFound(reply: FastifyReply): FastifyReply {
  return problem(reply, 404, 4000, 'Payment not found')
}

export function problem(reply: FastifyReply, status: number, code: number, message: string): FastifyReply {
  return reply.code(status).send({ code, message })
}

export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json').send(json)
}
