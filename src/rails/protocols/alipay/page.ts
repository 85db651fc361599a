// The address of Alipay's payment page: a signed request that the payer's browser makes. The address cannot be revoked,
// so it contains an expiry.
import type { KeyObject } from 'node:crypto'
import { formatAmount } from '../../../platform/base/money.ts'
import { isObject } from '../../../platform/base/object.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import type { PayerAction, StartRequest } from '../../contract/channel.ts'
import { type Params, signParams } from './signature.ts'

export type App = { readonly url: string; readonly appId: string; readonly privateKey: KeyObject }

const MAX_SUBJECT = 128

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
  const { completeUrl, terminal } = request
  const onPhone = terminal === 'WAP'
  const order = onPhone
    ? // Alipay sends a payer who gives up to quit_url.
      { product_code: 'QUICK_WAP_WAY', quit_url: completeUrl }
    : { product_code: 'FAST_INSTANT_TRADE_PAY' }
  const params = {
    ...commonParams(app, onPhone ? 'alipay.trade.wap.pay' : 'alipay.trade.page.pay', madeAt),
    return_url: completeUrl,
    ...tradeParams(request, order),
  }
  return `${app.url}?${new URLSearchParams(signParams(params, app.privateKey))}`
}

/** Returns the parameters for the SDK in a merchant's app. */
export function appOrder(app: App, request: StartRequest, madeAt: Date): string {
  const params = {
    ...commonParams(app, 'alipay.trade.app.pay', madeAt),
    ...tradeParams(request, { product_code: 'QUICK_MSECURITY_PAY' }),
  }
  return new URLSearchParams(signParams(params, app.privateKey)).toString()
}

function tradeParams(request: StartRequest, order: Readonly<Record<string, string>>): Params {
  return {
    notify_url: request.callbackUrl,
    biz_content: JSON.stringify({
      out_trade_no: request.reference,
      ...order,
      total_amount: formatAmount(request.money.amount, request.money.currency),
      trans_currency: request.money.currency,
      subject: request.merchantName.slice(0, MAX_SUBJECT),
      time_expire: toAlipayTime(request.expiresAt),
    }),
  }
}

/** Returns the expiry of the page. Undefined if the action contains no readable expiry. */
export function pageExpiry(action: PayerAction | undefined): Date | undefined {
  const content = parseJson(paramsIn(action)?.get('biz_content') ?? '')
  const expiry = isObject(content) ? content.time_expire : undefined
  return typeof expiry === 'string' ? fromAlipayTime(expiry) : undefined
}

function paramsIn(action: PayerAction | undefined): URLSearchParams | undefined {
  if (action?.kind === 'app') return new URLSearchParams(action.sdkParams)
  return action?.kind === 'redirect' ? URL.parse(action.url)?.searchParams : undefined
}

/** Alipay's times have no zone. All times are in Beijing time, which is UTC+8 all year. */
const AHEAD_MS = 8 * 3_600_000

export function toAlipayTime(at: Date): string {
  return new Date(at.getTime() + AHEAD_MS).toISOString().slice(0, 19).replace('T', ' ')
}

export function fromAlipayTime(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return undefined
  const at = new Date(`${text.replace(' ', 'T')}+08:00`)
  return Number.isNaN(at.getTime()) ? undefined : at
}
