// Our words to WeChat Pay's and back; pure. What does not read as promised, or speaks of another order, is `unknown`.
import { isFiat } from '../../base/currency.ts'
import type { Money } from '../../base/money.ts'
import { type Fields, isObject } from '../../base/object.ts'
import type {
  Failed,
  Outcome,
  PayerAction,
  RefundOutcome,
  RefundRequest,
  StartRequest,
  Unknown,
} from '../contract.ts'
import type { Terminal } from '../terminal.ts'
import type { Reply } from '../transport.ts'

/** Who we are to WeChat Pay. A merchant's app and its mini program are registered apart from its website. */
export type Account = {
  readonly mchid: string
  readonly appid: string
  readonly mobileAppid?: string | undefined
  readonly miniProgramAppid?: string | undefined
}

/** The kind of order that each terminal needs: the last part of the path that opens it. */
export const orderKinds: Readonly<Record<Terminal, string>> = {
  WEB: 'native',
  WAP: 'h5',
  APP: 'app',
  MINI_APP: 'jsapi',
}

/** By where the payer is. Undefined where nothing is registered for that. */
export function appidFor(account: Account, terminal: Terminal): string | undefined {
  if (terminal === 'APP') return account.mobileAppid
  return terminal === 'MINI_APP' ? account.miniProgramAppid : account.appid
}

const MAX_DESCRIPTION = 127

export function toOrder(request: StartRequest, account: Account): Fields {
  return {
    appid: appidFor(account, request.terminal),
    mchid: account.mchid,
    description: request.merchantName.slice(0, MAX_DESCRIPTION),
    out_trade_no: request.reference,
    time_expire: request.expiresAt.toISOString().replace(/\.\d+Z$/, '+00:00'),
    notify_url: request.callbackUrl,
    amount: { total: toInteger(request.money.amount), currency: request.money.currency },
    ...sceneOf(request),
  }
}

function sceneOf({ terminal, details }: StartRequest): Fields {
  const { ipAddress, userId } = details
  if (terminal === 'MINI_APP') return { payer: { openid: userId } }
  if (terminal !== 'WAP') return {}
  return {
    scene_info: {
      payer_client_ip: typeof ipAddress === 'string' ? ipAddress : '',
      h5_info: { type: 'Wap' },
    },
  }
}

/** An order of one cent whose code nobody is shown: it takes the number, so that none other can. */
export function toPlaceholder(reference: string, { mchid, appid }: Account, notifyUrl: string): Fields {
  return {
    appid,
    mchid,
    description: 'Cancelled',
    out_trade_no: reference,
    notify_url: notifyUrl,
    amount: { total: 1, currency: 'CNY' },
  }
}

export function toRefund({ reference, refundReference, refund, money }: RefundRequest): Fields {
  return {
    out_trade_no: reference,
    out_refund_no: refundReference,
    amount: {
      refund: toInteger(refund.amount),
      total: toInteger(money.amount),
      currency: refund.currency,
    },
  }
}

/** JSON has numbers only; no amount of ours comes near where they lose digits. */
function toInteger(value: bigint): number {
  return Number(value)
}

/** Makes what a merchant's app or mini program needs of the order's prepay_id. */
export type SdkParams = (request: StartRequest, prepayId: string) => string

/** What opening an order gave the payer to do; undefined when it makes no sense. */
export function actionIn(
  told: unknown,
  request: StartRequest,
  sdkParams: SdkParams,
): PayerAction | undefined {
  const { code_url: code, h5_url: page, prepay_id: prepayId } = isObject(told) ? told : {}
  if (request.terminal === 'WAP') return phonePage(page, request)
  if (request.terminal !== 'WEB')
    return typeof prepayId === 'string' && /^[!-~]{1,64}$/.test(prepayId)
      ? { kind: 'app', sdkParams: sdkParams(request, prepayId) }
      : undefined
  if (typeof code !== 'string' || !/^[!-~]{1,512}$/.test(code)) return undefined
  return { kind: 'qr', qrCode: code, ...(isWebAddress(code) && { appUrl: code }) }
}

/** WeChat looks at the Referer: the page opens only from a domain that is registered with it. */
function phonePage(page: unknown, { completeUrl }: StartRequest): PayerAction | undefined {
  if (typeof page !== 'string' || !isWebAddress(page)) return undefined
  const url = new URL(page)
  url.searchParams.set('redirect_url', completeUrl)
  return { kind: 'redirect', url: url.href, referrer: 'origin' }
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}

export type OrderRef = {
  readonly reference: string
  readonly account: Account
  /** What the payer was told to do. */
  readonly action?: PayerAction | undefined
}

/** What an order says of itself, in an answer or a notification. */
export function fromOrder(order: unknown, { reference, account, action }: OrderRef): Outcome {
  if (!isObject(order) || order.out_trade_no !== reference) return unknown('told about another order')
  if (order.mchid !== account.mchid) return unknown("told about another merchant's order")
  const { trade_state: state, transaction_id: id } = order
  const channelRef = typeof id === 'string' && id !== '' ? id : reference
  if (state === 'SUCCESS' || state === 'REFUND') return succeeded(order, channelRef)
  if (state === 'CLOSED' || state === 'REVOKED') return { ...closed, channelRef }
  if (state === 'PAYERROR') return { ...declined, channelRef }
  if (state !== 'NOTPAY' && state !== 'USERPAYING') return unknown('told no state that we know')
  return action === undefined
    ? unknown('the order waits for a payer, and what the payer was told is not known here')
    : { kind: 'pending', channelRef: reference, action }
}

function succeeded(order: Fields, channelRef: string): Outcome {
  const money = moneyIn(order.amount, 'total')
  return money === undefined ? unknown('told no amount') : { kind: 'succeeded', money, channelRef }
}

function moneyIn(told: unknown, name: 'total' | 'refund'): Money | undefined {
  if (!isObject(told)) return undefined
  const { [name]: value, currency } = told
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) return undefined
  if (typeof currency !== 'string' || !isFiat(currency)) return undefined
  return { amount: BigInt(value), currency }
}

export function fromRefund(reply: Reply, { refundReference }: RefundRequest): RefundOutcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  if (reply.status === 400 || reply.status === 403)
    return { kind: 'failed', cause: 'declined', message: 'WeChat Pay refused the refund' }
  const refund = isObject(reply.body) ? reply.body : undefined
  if (reply.status !== 200 || refund === undefined) return unknown(`WeChat Pay answered ${reply.status}`)
  if (refund.out_refund_no !== refundReference) return unknown('told about another refund')
  const { refund_id: id, status } = refund
  const channelRef = typeof id === 'string' && id !== '' ? id : refundReference
  if (status === 'PROCESSING') return { kind: 'pending', channelRef }
  if (status === 'CLOSED')
    return { kind: 'failed', cause: 'declined', message: 'WeChat Pay closed the refund', channelRef }
  // ABNORMAL among them: the payer's bank did not take it, and somebody has to see to it at WeChat Pay.
  if (status !== 'SUCCESS') return unknown('the refund is in no state that ends it')
  const money = moneyIn(refund.amount, 'refund')
  return money === undefined ? unknown('told no amount') : { kind: 'succeeded', money, channelRef }
}

const closed: Failed = { kind: 'failed', cause: 'cancelled', message: 'Cancelled; nothing was charged' }
const declined: Failed = { kind: 'failed', cause: 'declined', message: 'WeChat Pay declined the payment' }

export function unknown(why: string): Unknown {
  return { kind: 'unknown', why }
}
