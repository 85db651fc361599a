// Maps our types to WeChat Pay's messages and back. A response that is malformed or about another order is `unknown`.
import { isFiat } from '../../../platform/base/currency.ts'
import type { Money } from '../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type {
  Failed,
  Outcome,
  PayerAction,
  RefundOutcome,
  RefundRequest,
  StartRequest,
  Unknown,
} from '../../contract/channel.ts'
import { responded } from '../../contract/counterparty-texts.ts'
import type { Terminal } from '../../methods/terminal.ts'
import { cancelled, failed, isWebAddress, unknown } from '../../toolkit/outcomes.ts'
import type { Reply } from '../../toolkit/transport.ts'

/** Our account at WeChat Pay. A merchant's app and mini program each have their own appid. */
export type Account = {
  readonly mchid: string
  readonly appid: string
  readonly mobileAppid?: string | undefined
  readonly miniProgramAppid?: string | undefined
}

/** The last segment of the path of the request that opens an order. */
export const orderKinds: Readonly<Record<Terminal, string>> = {
  WEB: 'native',
  WAP: 'h5',
  APP: 'app',
  MINI_APP: 'jsapi',
}

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

/** Returns an order of one fen that no payer sees. Once it is opened, no other order can have its out_trade_no. */
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

/** WeChat Pay requires a JSON number. Our amounts are far below the limit of exact integers. */
function toInteger(value: bigint): number {
  return Number(value)
}

/** Builds the SDK parameters from the order's prepay_id. */
export type SdkParams = (request: StartRequest, prepayId: string) => string

export function actionIn(
  order: unknown,
  request: StartRequest,
  sdkParams: SdkParams,
): PayerAction | undefined {
  const { code_url: code, h5_url: page, prepay_id: prepayId } = isObject(order) ? order : {}
  if (request.terminal === 'WAP') return phonePage(page, request)
  if (request.terminal !== 'WEB')
    return typeof prepayId === 'string' && /^[!-~]{1,64}$/.test(prepayId)
      ? { kind: 'app', sdkParams: sdkParams(request, prepayId) }
      : undefined
  if (typeof code !== 'string' || !/^[!-~]{1,512}$/.test(code)) return undefined
  return { kind: 'qr', qrCode: code, ...(isWebAddress(code) && { appUrl: code }) }
}

/**
 * Returns the redirect to WeChat's page. WeChat opens the page only if the Referer is a registered domain, so the
 * browser sends its origin.
 */
function phonePage(page: unknown, { completeUrl }: StartRequest): PayerAction | undefined {
  if (!isWebAddress(page)) return undefined
  const url = new URL(page)
  url.searchParams.set('redirect_url', completeUrl)
  return { kind: 'redirect', url: url.href, referrer: 'origin' }
}

export type OrderRef = {
  readonly reference: string
  readonly account: Account
  readonly action?: PayerAction | undefined
}

/** Reads an order in a response or a webhook. */
export function fromOrder(order: unknown, { reference, account, action }: OrderRef): Outcome {
  if (!isObject(order) || order.out_trade_no !== reference)
    return unknown('WeChat Pay responded about another order')
  if (order.mchid !== account.mchid) return unknown("WeChat Pay responded about another merchant's order")
  const { trade_state: state, transaction_id: id } = order
  const channelRef = typeof id === 'string' && id !== '' ? id : reference
  if (state === 'SUCCESS' || state === 'REFUND') return succeeded(order, channelRef)
  if (state === 'CLOSED' || state === 'REVOKED') return { ...cancelled, channelRef }
  if (state === 'PAYERROR') return { ...declined, channelRef }
  if (state !== 'NOTPAY' && state !== 'USERPAYING') return unknown("WeChat Pay's order has no known state")
  return action === undefined
    ? unknown("the order waits for its payer, but the payer's action is not known")
    : { kind: 'pending', channelRef: reference, action }
}

function succeeded(order: Fields, channelRef: string): Outcome {
  const money = moneyIn(order.amount, 'total')
  return money === undefined
    ? unknown("WeChat Pay's order has no amount")
    : { kind: 'succeeded', money, channelRef }
}

function moneyIn(amount: unknown, name: 'total' | 'refund'): Money | undefined {
  if (!isObject(amount)) return undefined
  const { [name]: value, currency } = amount
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) return undefined
  if (typeof currency !== 'string' || !isFiat(currency)) return undefined
  return { amount: BigInt(value), currency }
}

/**
 * Returns why WeChat Pay refused to open an order. Undefined if the response is no refusal, or says that an order
 * exists under the number. After a refusal the caller must also query the number, because an earlier call may have
 * opened an order.
 */
export function causeOf({ status, body }: Extract<Reply, { kind: 'answer' }>): Failed['cause'] | undefined {
  const code = codeIn(body)
  if (status === 401 || NO_RIGHT.includes(code)) return 'unauthorised'
  // A rate limit refuses a request before WeChat Pay processes it.
  if (status === 429 || code === 'RULE_LIMIT' || code === 'RULELIMIT') return 'unreachable'
  return status >= 400 && status < 500 && !HAS_ORDER.includes(code) ? 'refused' : undefined
}

const NO_RIGHT: readonly unknown[] = ['NO_AUTH', 'NOAUTH']

/** Codes by which WeChat Pay says that an order exists under the number, even if a query finds no order. */
const HAS_ORDER: readonly unknown[] = ['ORDERPAID', 'ORDER_PAID', 'OUT_TRADE_NO_USED']

/** True if a signed response refuses to open an order. A rate limit does not count. A 401 is never signed. */
export function isRefusedOrder(reply: Reply): boolean {
  if (reply.kind !== 'answer' || reply.status === 401) return false
  const cause = causeOf(reply)
  return cause === 'refused' || cause === 'unauthorised'
}

/** Codes that decline a refund. Any other code (about our rights or a limit, or unknown) leaves the refund open. */
const NOT_REFUNDED: readonly unknown[] = [
  'PARAM_ERROR',
  'INVALID_REQUEST',
  'NOT_ENOUGH',
  'USER_ACCOUNT_ABNORMAL',
]

/**
 * Reads the response to a call that makes a refund. Only such a call can decline the refund: a refused query decides
 * nothing.
 */
export function fromNewRefund(reply: Reply, request: RefundRequest): RefundOutcome {
  const isError = reply.kind === 'answer' && (reply.status === 400 || reply.status === 403)
  return isError && NOT_REFUNDED.includes(codeIn(reply.body)) ? refundRefused : fromRefund(reply, request)
}

/**
 * True if the refusal may mean that the order is already refunded: INVALID_REQUEST is also the code for a refund of
 * more than is left to refund.
 */
export function mayBeRefunded(reply: Reply): boolean {
  return reply.kind === 'answer' && codeIn(reply.body) === 'INVALID_REQUEST'
}

/** True if the order is paid and no part of it was refunded. */
export function isUnrefunded(reply: Reply, { reference }: RefundRequest): boolean {
  if (reply.kind !== 'answer' || reply.status !== 200 || !isObject(reply.body)) return false
  return reply.body.out_trade_no === reference && reply.body.trade_state === 'SUCCESS'
}

function codeIn(body: unknown): unknown {
  return isObject(body) ? body.code : undefined
}

export function fromRefund(reply: Reply, { refundReference }: RefundRequest): RefundOutcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const refund = isObject(reply.body) ? reply.body : undefined
  if (reply.status !== 200 || refund === undefined) return whyUnknown(reply)
  if (refund.out_refund_no !== refundReference) return unknown('WeChat Pay responded about another refund')
  const { refund_id: id, status } = refund
  const channelRef = typeof id === 'string' && id !== '' ? id : refundReference
  if (status === 'PROCESSING') return { kind: 'pending', channelRef }
  if (status === 'CLOSED')
    return { kind: 'failed', cause: 'declined', message: 'WeChat Pay closed the refund', channelRef }
  // ABNORMAL also gives `unknown`: the payer's bank refused the money, and an operator must act at WeChat Pay.
  if (status !== 'SUCCESS') return unknown('the refund is in no final state')
  const money = moneyIn(refund.amount, 'refund')
  return money === undefined
    ? unknown("WeChat Pay's refund has no amount")
    : { kind: 'succeeded', money, channelRef }
}

const refundRefused: Failed = failed('declined', 'WeChat Pay refused the refund')
const declined: Failed = failed('declined', 'WeChat Pay declined the payment')

export function whyUnknown({ status, body }: Extract<Reply, { kind: 'answer' }>): Unknown {
  return unknown(responded('WeChat Pay', status, codeIn(body)))
}
