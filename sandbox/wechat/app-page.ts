// Simulates the WeChat app as an SDK or mini program opens it. The parameters are in the address, and their signature
// is verified, as the real app does.
import { type KeyObject, verify } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { formOf } from '../../src/platform/pages/form.ts'
import { sendPage } from '../../src/platform/pages/page.ts'
import type { Bank } from '../bank/bank.ts'
import type { BankCharge } from '../bank/charge.ts'
import { nothingPage } from '../bank/page.ts'
import { type Account, appids, type TradeType } from './order.ts'

export type AppPageOptions = {
  readonly bank: Bank
  readonly account: Account
  readonly merchantKey: () => KeyObject
  /** The address of the page on which the payer approves or declines. */
  readonly payerUrlOf: (charge: BankCharge) => string
}

export const APP_PATH = '/wechat/app'

export function prepayIdOf({ id }: BankCharge): string {
  return `wx${id}`
}

export function registerAppPage(app: FastifyInstance, options: AppPageOptions): void {
  const { bank, payerUrlOf } = options
  app.get(APP_PATH, (request, reply) => {
    const called = readCall(formOf(request.query), options)
    const charge = called && bank.findById(called.prepayId.replace(/^wx/, ''))
    if (charge === undefined || charge.extra.tradeType !== called?.tradeType)
      return sendPage(reply, 404, nothingPage(undefined))
    return reply.redirect(payerUrlOf(charge), 302)
  })
}

type Params = Readonly<Record<string, string | undefined>>
type Call = { readonly prepayId: string; readonly tradeType: TradeType }

/** Returns undefined if the signature or another parameter is wrong. */
function readCall(params: Params, options: AppPageOptions): Call | undefined {
  return params.paySign === undefined ? readApp(params, options) : readMiniProgram(params, options)
}

function readApp(params: Params, { account, merchantKey }: AppPageOptions): Call | undefined {
  const { appid = '', partnerid, prepayid = '', noncestr = '', timestamp = '', sign = '' } = params
  const isOurs =
    appid === appids(account).APP && partnerid === account.mchid && params.package === 'Sign=WXPay'
  const isTrue = isSigned([appid, timestamp, noncestr, prepayid], sign, merchantKey())
  return isOurs && isTrue ? { prepayId: prepayid, tradeType: 'APP' } : undefined
}

function readMiniProgram(params: Params, { account, merchantKey }: AppPageOptions): Call | undefined {
  const { appId = '', timeStamp = '', nonceStr = '', package: prepaid = '', signType, paySign = '' } = params
  const isOurs = appId === appids(account).JSAPI && signType === 'RSA' && prepaid.startsWith('prepay_id=')
  const isTrue = isSigned([appId, timeStamp, nonceStr, prepaid], paySign, merchantKey())
  return isOurs && isTrue ? { prepayId: prepaid.slice('prepay_id='.length), tradeType: 'JSAPI' } : undefined
}

function isSigned(lines: readonly string[], signature: string, key: KeyObject): boolean {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  return verify('sha256', text, key, Buffer.from(signature, 'base64'))
}
