// Alipay's single endpoint, gateway.do. The operation is a parameter, requests and responses are signed, and errors
// have HTTP status 200.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Fields } from '../../src/platform/base/object.ts'
import { acceptForms, formOf } from '../../src/platform/pages/form.ts'
import type { Bank } from '../bank/bank.ts'
import type { BankCharge } from '../bank/charge.ts'
import { fieldsOf, InvalidRequest, readText } from '../issuer-request.ts'
import type { RsaKeys } from '../rsa-keys.ts'
import { staySilent } from '../silent-reply.ts'
import { isSigned, type Params, signAnswer } from './signature.ts'
import { products, readNumber, readRefund, readTrade, toRefund, toTrade } from './trade.ts'

export type GatewayOptions = {
  readonly bank: Bank
  readonly appId: string
  readonly keys: () => RsaKeys
  readonly payerUrlOf: (charge: BankCharge) => string
}

export const GATEWAY_PATH = '/alipay/gateway.do'

const done = { code: '10000', msg: 'Success' }

function failed(subCode: string, subMsg = ''): Fields {
  return { code: '40004', msg: 'Business Failed', sub_code: subCode, sub_msg: subMsg }
}

const NOT_EXIST = 'ACQ.TRADE_NOT_EXIST'

export function registerGateway(app: FastifyInstance, options: GatewayOptions): void {
  app.register(async (scope) => {
    acceptForms(scope, 65_536)
    const serve = (request: FastifyRequest, reply: FastifyReply) => answer(options, request, reply)
    scope.get(GATEWAY_PATH, serve)
    scope.post(GATEWAY_PATH, serve)
  })
}

function answer(options: GatewayOptions, request: FastifyRequest, reply: FastifyReply) {
  const params = { ...formOf(request.query), ...formOf(request.body) }
  const { method = '' } = params
  const isPage = Object.hasOwn(products, method)
  const node = isPage ? 'error_response' : `${method.replaceAll('.', '_')}_response`
  const send = (content: Fields) => {
    const text = signAnswer(node, content, options.keys().platform.privateKey)
    return reply.type('application/json; charset=utf-8').send(text)
  }
  if (params.app_id !== options.appId || !isSigned(params, options.keys().gateway.publicKey))
    return send(failed('isv.invalid-signature'))
  try {
    const content = fieldsOf(JSON.parse(readText(params, 'biz_content', /^\{.*\}$/s)))
    if (isPage) return openPage(options, { content, params, request, reply, send })
    return send(operations[method]?.(options.bank, content) ?? failed('isv.invalid-method'))
  } catch (error) {
    if (error instanceof InvalidRequest || error instanceof SyntaxError)
      return send(failed('ACQ.INVALID_PARAMETER', error.message))
    throw error
  }
}

type PageCall = {
  readonly content: Fields
  readonly params: Params
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly send: (content: Fields) => FastifyReply
}

/**
 * Opens the trade and redirects to the payer page. A browser is redirected even if the trade is closed, because the
 * page explains the reason.
 */
function openPage(
  { bank, payerUrlOf }: GatewayOptions,
  call: PageCall,
): FastifyReply | Promise<FastifyReply> {
  const { content, params, request, reply, send } = call
  const opening = bank.open(readTrade(content, params))
  if (opening.kind === 'silent') return staySilent(reply)
  if (opening.kind === 'refused') return send(failed('ACQ.INVALID_PARAMETER', 'the trade was refused'))
  const isBrowser = request.headers.accept?.includes('text/html') === true
  if (opening.charge.status === 'cancelled' && !isBrowser) return send(failed('ACQ.TRADE_HAS_CLOSE'))
  return reply.redirect(payerUrlOf(opening.charge), 302)
}

const operations: Readonly<Record<string, (bank: Bank, content: Fields) => Fields>> = {
  'alipay.trade.query': (bank, content) => {
    const charge = bank.find(readNumber(content))
    return charge === undefined ? failed(NOT_EXIST) : { ...done, ...toTrade(charge) }
  },
  'alipay.trade.close': (bank, content) => {
    const number = readNumber(content)
    const isKnown = bank.find(number) !== undefined
    // Cancelling an unknown number also prevents its later opening.
    const charge = bank.cancel(number)
    if (!isKnown) return failed(NOT_EXIST)
    const { out_trade_no, trade_no } = toTrade(charge)
    return charge.status === 'paid' ? failed('ACQ.TRADE_STATUS_ERROR') : { ...done, out_trade_no, trade_no }
  },
  'alipay.trade.refund': (bank, content) => {
    const charge = bank.find(readNumber(content))
    if (charge === undefined) return failed(NOT_EXIST)
    const refund = bank.refund(readRefund(content, charge.currency))
    if (refund.status === 'failed') return failed('ACQ.SELLER_BALANCE_NOT_ENOUGH', refund.reason)
    return {
      ...done,
      out_trade_no: charge.reference,
      fund_change: refund.status === 'processing' ? 'Y' : 'N',
    }
  },
  'alipay.trade.fastpay.refund.query': (bank, content) => {
    const refund = bank.findRefund(readText(content, 'out_request_no', /^\w{1,64}$/))
    return refund === undefined ? done : { ...done, ...toRefund(refund) }
  },
}
