// The address of Alipay's payment page: a request like any other, signed, that the payer's browser makes. It says until
// when it may be paid, for once it is given away nothing else can take it back.
import type { KeyObject } from 'node:crypto'
import { formatAmount } from '../../base/money.ts'
import { isObject } from '../../base/object.ts'
import type { PayerAction, StartRequest } from '../contract.ts'
import { parseJson } from '../http-client.ts'
import { type Params, signParams } from './signature.ts'
import { fromAlipayTime, toAlipayTime } from './time.ts'

export type App = { readonly url: string; readonly appId: string; readonly privateKey: KeyObject }

const MAX_SUBJECT = 128

/** What every request says of itself. */
export function commonParams({ appId }: App, method: string, at: Date): Params {
  return {
    app_id: appId,
    method,
    format: 'JSON',
    charset: 'utf-8',
    sign_type: 'RSA2',
    timestamp: toAlipayTime(at),
    version: '1.0',
  }
}

export function pageUrl(app: App, request: StartRequest, madeAt: Date): string {
  const onPhone = request.details.terminal === 'WAP'
  const method = onPhone ? 'alipay.trade.wap.pay' : 'alipay.trade.page.pay'
  const params = {
    ...commonParams(app, method, madeAt),
    return_url: request.completeUrl,
    notify_url: request.callbackUrl,
    biz_content: JSON.stringify({
      out_trade_no: request.reference,
      product_code: onPhone ? 'QUICK_WAP_WAY' : 'FAST_INSTANT_TRADE_PAY',
      total_amount: formatAmount(request.money.amount, request.money.currency),
      trans_currency: request.money.currency,
      subject: request.merchantName.slice(0, MAX_SUBJECT),
      time_expire: toAlipayTime(request.expiresAt),
    }),
  }
  return `${app.url}?${new URLSearchParams(signParams(params, app.privateKey))}`
}

/** Until when the page may be paid, as its own address says; undefined when it is no such address. */
export function pageExpiry(action: PayerAction | undefined): Date | undefined {
  const url = action?.kind === 'redirect' ? URL.parse(action.url) : null
  const content = parseJson(url?.searchParams.get('biz_content') ?? '')
  const told = isObject(content) ? content.time_expire : undefined
  return typeof told === 'string' ? fromAlipayTime(told) : undefined
}
