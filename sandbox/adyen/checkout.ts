// The sandbox's Adyen Checkout: payments, details and modifications. The answer to a modification only confirms its
// receipt. A webhook reports the result.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import { isEqualSecret } from '../../src/platform/base/secret.ts'
import { staySilent } from '../silent-reply.ts'
import { makePsp, type Payment } from './book.ts'
import {
  amountIn,
  checkAddresses,
  checkBrowser,
  checkMerchantAccount,
  checkShopper,
  invalid,
  objectIn,
  Problem,
  textIn,
} from './checked-fields.ts'
import { type Desk, isByCard, openPayment, resultOf } from './methods.ts'
import { readRedirectResult } from './redirect-result.ts'
import { isOfZero, type StoredCards } from './stored-cards.ts'

export type CheckoutOptions = Desk & {
  readonly apiKey: string
  readonly cards: StoredCards
  /** The key that signs the results which browsers bring back. */
  readonly secret: string
  readonly features: Features
}

export type Features = {
  /** True if answers to `/payments/details` leave out the fields that Adyen's specification calls optional. */
  isTerse: boolean
  /**
   * The HTTP status with which reversals are refused, as for a credential without the role for them; undefined to
   * accept them.
   */
  reversalError: number | undefined
}

export const CHECKOUT_PATH = '/adyen/checkout/v72'

/** Values of payments and transfers that get no response or are refused. */
export const SILENT_BUT_OPENED = 119
export const SILENT_AND_NOT_OPENED = 6975
export const REFUSED = 2

type Answer = { readonly status: number; readonly body: Fields }

export function registerCheckout(app: FastifyInstance, options: CheckoutOptions): void {
  const { book } = options
  const answers = new Map<string, Answer>()
  app.register(
    async (scope) => {
      authorise(scope, options.apiKey)
      const post = (path: string, handle: (body: Fields, request: FastifyRequest) => Answer) =>
        scope.post(path, (request, reply) => {
          const body = isObject(request.body) ? request.body : {}
          return replay(answers, request, reply, () => handle(body, request))
        })
      scope.post('/payments', (request, reply) => pay(options, answers, request, reply))
      post('/payments/details', (body) => details(options, body))
      post('/cancels', (body) => {
        checkAccount(options, body)
        const paymentReference = textIn(body, 'paymentReference', /^.{1,80}$/)
        return accepted(options, book.cancelByReference(paymentReference), { paymentReference })
      })
      post('/payments/:psp/refunds', (body, request) => {
        const payment = paymentOf(options, body, request)
        const refund = { amount: amountIn(body), reference: textIn(body, 'reference', /^.{1,80}$/) }
        return accepted(options, book.refund(payment, refund), {
          paymentPspReference: payment.psp,
          ...refund,
        })
      })
      post('/payments/:psp/reversals', (body, request) => {
        const { reversalError } = options.features
        if (reversalError !== undefined) throw new Problem(reversalError, '010', 'Not allowed')
        const payment = paymentOf(options, body, request)
        return accepted(options, book.reverse(payment), { paymentPspReference: payment.psp })
      })
    },
    { prefix: CHECKOUT_PATH },
  )
}

/** Checks the key and writes errors in Adyen's form, for all of Adyen's APIs. */
export function authorise(scope: FastifyInstance, apiKey: string): void {
  scope.addHook('onRequest', async (request, reply) => {
    if (!isEqualSecret(String(request.headers['x-api-key'] ?? ''), apiKey))
      return sendProblem(reply, new Problem(401, '000', 'HTTP Status Response - Unauthorized'))
  })
  scope.setErrorHandler((error, _request, reply) => {
    if (error instanceof Problem) return sendProblem(reply, error)
    throw error
  })
}

function sendProblem(reply: FastifyReply, { status, code: errorCode, message }: Problem): FastifyReply {
  const errorType = status === 401 ? 'security' : 'validation'
  return reply.code(status).send({ status, errorCode, message, errorType, pspReference: makePsp() })
}

/** A repeated idempotency key gets the first answer again, even if the request differs. */
export function replay(
  answers: Map<string, Answer>,
  request: FastifyRequest,
  reply: FastifyReply,
  handle: () => Answer,
): FastifyReply {
  const key = keyOf(request)
  const answer = answers.get(key) ?? handle()
  answers.set(key, answer)
  return reply.code(answer.status).header('idempotency-key', key).send(answer.body)
}

function keyOf({ headers }: FastifyRequest): string {
  const key = String(headers['idempotency-key'] ?? '')
  if (key === '' || key.length > 64) throw invalid('Idempotency-Key')
  return key
}

function pay(
  options: CheckoutOptions,
  answers: Map<string, Answer>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const body = isObject(request.body) ? request.body : {}
  const isKnown = answers.has(keyOf(request))
  if (isOfZero(body))
    return replay(answers, request, reply, () => ({ status: 200, body: options.cards.store(body) }))
  const { value } = amountIn(body)
  if (!isKnown && value === SILENT_AND_NOT_OPENED) return staySilent(reply)
  if (!isKnown && value === SILENT_BUT_OPENED) {
    answers.set(keyOf(request), open(options, body))
    return staySilent(reply)
  }
  return replay(answers, request, reply, () => open(options, body))
}

function open(options: CheckoutOptions, body: Fields): Answer {
  checkAccount(options, body)
  checkBrowser(body)
  checkAddresses(body)
  checkShopper(body)
  const amount = amountIn(body)
  if (amount.value === REFUSED) throw invalid('amount')
  const type = textIn(objectIn(body, 'paymentMethod'), 'type')
  const order = {
    reference: textIn(body, 'reference', /^.{1,80}$/),
    returnUrl: textIn(body, 'returnUrl', /^https?:\/\/.{1,1016}$/),
    type,
    amount,
    isCaptured: body.captureDelayHours === 0 || !isByCard({ type }),
  }
  return { status: 200, body: openPayment(options, order, body) }
}

function details({ book, secret, features }: CheckoutOptions, body: Fields): Answer {
  const result = readRedirectResult(textIn(objectIn(body, 'details'), 'redirectResult'), secret)
  const payment = result && book.findById(result.id)
  if (result === undefined || payment === undefined) throw invalid('details.redirectResult')
  // A redirected card payment is decided only now. Other payments were decided on the payer page.
  if (isByCard(payment) && payment.status === 'open') {
    if (result.isApproved && result.value === payment.amount.value) book.authorise(payment)
    else book.refuse(payment, { refusalReason: '3D Not Authenticated', refusalReasonCode: '11' })
  }
  const { merchantReference, amount, ...terse } = resultOf(payment)
  return { status: 200, body: features.isTerse ? terse : { ...terse, merchantReference, amount } }
}

function paymentOf(options: CheckoutOptions, body: Fields, request: FastifyRequest): Payment {
  checkAccount(options, body)
  const { psp = '' } = isObject(request.params) ? request.params : {}
  const payment = options.book.findByPsp(String(psp))
  if (payment === undefined)
    throw new Problem(422, '167', 'Original pspReference required for this operation')
  return payment
}

function checkAccount({ book }: Desk, body: Fields): void {
  checkMerchantAccount(book.account, body)
}

function accepted({ book }: Desk, pspReference: string, more: Fields): Answer {
  return { status: 201, body: { merchantAccount: book.account, ...more, pspReference, status: 'received' } }
}
