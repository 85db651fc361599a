// The part of WeChat Pay's API v3 that the gateway uses: orders, their closing, and refunds.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../src/platform/base/clock.ts'
import type { Fields } from '../../src/platform/base/object.ts'
import type { Bank } from '../bank/bank.ts'
import type { BankCharge } from '../bank/charge.ts'
import { fieldsOf, InvalidRequest } from '../issuer-request.ts'
import type { RsaKeys } from '../rsa-keys.ts'
import { staySilent } from '../silent-reply.ts'
import { prepayIdOf } from './app-page.ts'
import { type Account, readOrder, readRefund, type TradeType, toOrder, toRefund } from './order.ts'
import { isFromMerchant, platformHeaders } from './signature.ts'

export type WechatApiOptions = {
  readonly bank: Bank
  readonly account: Account
  readonly serial: string
  readonly keys: () => RsaKeys
  readonly clock: Clock
  /** The address in the payer's QR code. */
  readonly codeUrlOf: (charge: BankCharge) => string
  readonly h5UrlOf: (charge: BankCharge) => string
}

type OrderRequest = FastifyRequest<{ Params: { no: string } }>

export const API_PATH = '/wechat'
const orders = '/v3/pay/transactions'
const refunds = '/v3/refund/domestic/refunds'

export function registerWechatApi(app: FastifyInstance, options: WechatApiOptions): void {
  app.register(
    async (scope) => {
      readAsText(scope)
      requireSignatures(scope, options)
      registerOrders(scope, options)
      registerRefunds(scope, options)
    },
    { prefix: API_PATH },
  )
}

/** Reads bodies as text, because the signature covers the raw body. */
function readAsText(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
}

function requireSignatures(scope: FastifyInstance, { keys, account, serial, clock }: WechatApiOptions): void {
  scope.addHook('preHandler', async (request, reply) => {
    const { authorization = '' } = request.headers
    const asked = { authorization, method: request.method, path: request.url, body: textOf(request) }
    const merchant = { mchid: account.mchid, serial, key: keys().gateway.publicKey }
    if (!isFromMerchant(asked, merchant, clock.now())) return problem(reply, 401, 'SIGN_ERROR')
  })
  scope.addHook('onSend', async (_request, reply, payload) => {
    const body = typeof payload === 'string' ? payload : ''
    reply.headers(platformHeaders(body, keys().platform.privateKey, clock.now()))
    return payload
  })
  scope.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof InvalidRequest)) throw error
    return problem(reply, 400, 'PARAM_ERROR', error.message)
  })
}

function registerOrders(scope: FastifyInstance, options: WechatApiOptions): void {
  const { bank, account } = options
  for (const [kind, tradeType] of Object.entries(tradeTypes))
    scope.post(`${orders}/${kind}`, (request, reply) => open(options, tradeType, request, reply))
  scope.get(`${orders}/out-trade-no/:no`, (request: OrderRequest, reply) => {
    const charge = bank.find(request.params.no)
    return charge === undefined
      ? problem(reply, 404, 'ORDER_NOT_EXIST')
      : reply.send(toOrder(charge, account))
  })
  scope.post(`${orders}/out-trade-no/:no/close`, (request: OrderRequest, reply) => {
    const { no } = request.params
    if (bank.find(no) === undefined) return problem(reply, 404, 'ORDER_NOT_EXIST')
    return bank.cancel(no).status === 'paid' ? problem(reply, 400, 'ORDER_PAID') : reply.code(204).send()
  })
}

const tradeTypes: Readonly<Record<string, TradeType>> = {
  native: 'NATIVE',
  h5: 'MWEB',
  app: 'APP',
  jsapi: 'JSAPI',
}

function open(options: WechatApiOptions, tradeType: TradeType, request: FastifyRequest, reply: FastifyReply) {
  const { bank, account } = options
  const order = readOrder(bodyOf(request), account, tradeType)
  const opening = bank.open(order)
  if (opening.kind === 'silent') return staySilent(reply)
  if (opening.kind === 'refused') return problem(reply, 400, 'INVALID_REQUEST', 'the order was refused')
  const { charge } = opening
  if (charge.status !== 'open') return problem(reply, 400, 'ORDER_CLOSED')
  return charge.amount === order.amount && charge.currency === order.currency
    ? reply.send(toResponse(options, tradeType, charge))
    : problem(reply, 403, 'OUT_TRADE_NO_USED')
}

function toResponse(
  { codeUrlOf, h5UrlOf }: WechatApiOptions,
  tradeType: TradeType,
  charge: BankCharge,
): Fields {
  if (tradeType === 'NATIVE') return { code_url: codeUrlOf(charge) }
  return tradeType === 'MWEB' ? { h5_url: h5UrlOf(charge) } : { prepay_id: prepayIdOf(charge) }
}

function registerRefunds(scope: FastifyInstance, { bank }: WechatApiOptions): void {
  scope.post(refunds, (request, reply) => {
    const order = readRefund(bodyOf(request))
    if (bank.find(order.reference) === undefined) return problem(reply, 404, 'RESOURCE_NOT_EXISTS')
    return reply.send(toRefund(bank.refund(order)))
  })
  scope.get(`${refunds}/:no`, (request: OrderRequest, reply) => {
    const refund = bank.findRefund(request.params.no)
    return refund === undefined ? problem(reply, 404, 'RESOURCE_NOT_EXISTS') : reply.send(toRefund(refund))
  })
}

function textOf({ body }: FastifyRequest): string {
  return typeof body === 'string' ? body : ''
}

function bodyOf(request: FastifyRequest): Fields {
  try {
    return fieldsOf(JSON.parse(textOf(request)))
  } catch {
    throw new InvalidRequest('not a JSON object')
  }
}

function problem(reply: FastifyReply, status: number, code: string, message = ''): FastifyReply {
  return reply.code(status).send({ code, message })
}
