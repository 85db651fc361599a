// Maps Alipay's messages to our types. A response that is malformed or about another trade is `unknown`.
// See docs/decisions/0377-only-documented-errors-refuse.md.
import { isFiat } from '../../../platform/base/currency.ts'
import { formatAmount, type Money, parseAmount } from '../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import type { Failed, Outcome, PayerAction, RefundOutcome, RefundRequest } from '../../contract/channel.ts'
import { cancelled, failed, unknown } from '../../toolkit/outcomes.ts'
import type { AlipayReply } from './api.ts'

const OK = '10000'
/** The code of a failure with its reason in `sub_code`. Only the sub codes in the lists below are certain failures. */
const BUSINESS_FAILED = '40004'
const ABSENT = 'ACQ.TRADE_NOT_EXIST'
/**
 * Sub codes after which Alipay has not opened the trade, and never will. Every other sub code leaves the payment
 * unknown: Alipay also sends sub codes about a trade that exists or is paid (TRADE_HAS_SUCCESS, CONTEXT_INCONSISTENT),
 * or after an error of its own (SYSTEM_ERROR).
 */
const NOT_OPENED: readonly string[] = [
  'ACQ.INVALID_PARAMETER',
  'ACQ.ACCESS_FORBIDDEN',
  'ACQ.EXIST_FORBIDDEN_WORD',
  'ACQ.PARTNER_ERROR',
  'ACQ.TOTAL_FEE_EXCEED',
  'ACQ.BEYOND_PAY_RESTRICTION',
]
/** Sub codes, with any code except OK, by which Alipay refuses our app or its key before it processes the request. */
const NOT_US: readonly unknown[] = [
  'isv.invalid-signature',
  'isv.invalid-app-id',
  'isv.missing-signature-config',
  'isv.insufficient-isv-permissions',
]
/**
 * Sub codes by which Alipay declines a refund: this call has refunded nothing. Every other sub code leaves the refund
 * open. The following sub codes must stay out of the list:
 * - DISCORDANT_REPEAT_REQUEST: a refund exists under our number.
 * - REFUND_CHARGE_ERROR: Alipay wants the call repeated.
 * - TRADE_HAS_CLOSE, REASON_TRADE_STATUS_INVALID: our own first call may have made the refund, and a query does not
 *   show that refund for some seconds.
 */
const NOT_REFUNDED: readonly string[] = [
  ABSENT,
  'ACQ.INVALID_PARAMETER',
  'ACQ.SELLER_BALANCE_NOT_ENOUGH',
  'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL',
  'ACQ.REFUND_FEE_ERROR',
  'ACQ.REASON_TRADE_REFUND_FEE_ERR',
  'ACQ.REASON_TRADE_BEEN_FREEZEN',
  'ACQ.TRADE_HAS_FINISHED',
  'ACQ.TRADE_STATUS_ERROR',
  'ACQ.TRADE_SETTLE_ERROR',
  'ACQ.TRADE_NOT_ALLOW_REFUND',
  'ACQ.NOT_ALLOW_PARTIAL_REFUND',
  'ACQ.ONLINE_TRADE_VOUCHER_NOT_ALLOW_REFUND',
  'ACQ.ALLOC_AMOUNT_VALIDATE_ERROR',
  'ACQ.CURRENCY_NOT_SUPPORT',
  'ACQ.REFUND_ACCOUNT_NOT_EXIST',
  'ACQ.BUYER_ERROR',
  'ACQ.BUYER_NOT_EXIST',
  'ACQ.BUYER_ENABLE_STATUS_FORBID',
  'ACQ.CUSTOMER_VALIDATE_ERROR',
  'ACQ.USER_NOT_MATCH_ERR',
]
const DOMESTIC = 'CNY'

export type TradeRef = {
  readonly reference: string
  readonly action?: PayerAction | undefined
  /** True if the payer's page has expired. */
  readonly isOver: boolean
}

export function fromTrade(reply: AlipayReply, trade: TradeRef): Outcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const { code, out_trade_no: reference } = reply.content
  if (code !== OK) return unknown(`Alipay responded ${codesOf(reply.content)}`)
  if (reference !== trade.reference) return unknown('Alipay responded about another trade')
  return stateOf(reply.content, trade)
}

function stateOf(content: Fields, { reference, action, isOver }: TradeRef): Outcome {
  const { trade_status: status, trade_no: no } = content
  const channelRef = typeof no === 'string' && no !== '' ? no : reference
  if (status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED' || wasPaid(content))
    return paid(content, channelRef)
  if (status === 'TRADE_CLOSED')
    return { ...(isOver || wasCancelled(content) ? cancelled : declined), channelRef }
  if (status !== 'WAIT_BUYER_PAY') return unknown("Alipay's trade has no known state")
  return action === undefined
    ? unknown("the trade waits for its payer, but the payer's action is not known")
    : { kind: 'pending', channelRef: reference, action }
}

/** True if a closed trade was paid and fully refunded. Such a trade has a payment time; an unpaid trade has none. */
function wasPaid({ trade_status: status, send_pay_date: paidAt }: Fields): boolean {
  return status === 'TRADE_CLOSED' && typeof paidAt === 'string' && paidAt !== ''
}

function wasCancelled({ ext_infos: infos }: Fields): boolean {
  const parsed = typeof infos === 'string' ? parseJson(infos) : undefined
  return isObject(parsed) && parsed.action === 'cancel'
}

/** Reads a paid trade from a response or a webhook, which have the same field names. */
export function paid(content: Fields, channelRef: string): Outcome {
  const money = moneyIn(content, 'total_amount')
  return money === undefined
    ? unknown("Alipay's trade has no amount")
    : { kind: 'succeeded', money, channelRef }
}

/** Returns the money. If the message names no currency, the amount is in yuan. */
function moneyIn(content: Fields, name: string): Money | undefined {
  const { [name]: text, trans_currency: currency = DOMESTIC } = content
  if (typeof text !== 'string' || typeof currency !== 'string' || !isFiat(currency)) return undefined
  const amount = parseAmount(text, currency)
  return amount === undefined ? undefined : { amount, currency }
}

export function isAbsent(reply: AlipayReply): boolean {
  return isRefused(reply, [ABSENT])
}

/** True if the trade number was closed before a trade was opened under it. */
export function isClosedNumber(reply: AlipayReply): boolean {
  return isRefused(reply, ['ACQ.TRADE_HAS_CLOSE'])
}

/** True if Alipay has certainly not opened a trade. */
export function isRefusedTrade(reply: AlipayReply): boolean {
  return isRefused(reply, NOT_OPENED)
}

export function isUnauthorised(reply: AlipayReply): boolean {
  return reply.kind === 'answer' && reply.content.code !== OK && NOT_US.includes(reply.content.sub_code)
}

/** True if Alipay refused for one of the listed reasons. Any other sub code proves nothing. */
function isRefused(reply: AlipayReply, reasons: readonly string[]): boolean {
  if (reply.kind !== 'answer' || reply.content.code !== BUSINESS_FAILED) return false
  return reasons.includes(String(reply.content.sub_code))
}

export function toRefund({ reference, refundReference, refund }: RefundRequest): Fields {
  return {
    out_trade_no: reference,
    out_request_no: refundReference,
    refund_amount: formatAmount(refund.amount, refund.currency),
    refund_currency: refund.currency,
  }
}

/**
 * Returns the successful refund. Undefined if Alipay does not report a success, and `unknown` if its response is
 * unclear.
 */
export function refundDone(reply: AlipayReply, request: RefundRequest): RefundOutcome | undefined {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const { code, refund_status: status, out_request_no: no, refund_amount: text } = reply.content
  if (code !== OK || status !== 'REFUND_SUCCESS') return undefined
  if (no !== request.refundReference) return unknown('Alipay responded about another refund')
  const { currency } = request.refund
  const amount = typeof text === 'string' ? parseAmount(text, currency) : undefined
  if (amount === undefined) return unknown("Alipay's refund has no amount")
  return { kind: 'succeeded', money: { amount, currency }, channelRef: request.refundReference }
}

/** True if Alipay's response certainly says that no refund exists under this number. */
export function hasNoRefund(reply: AlipayReply): boolean {
  if (isAbsent(reply)) return true
  return reply.kind === 'answer' && reply.content.code === OK && reply.content.refund_status === undefined
}

/**
 * Reads the response to a refund request. An accepted refund is `pending`, because only a query tells whether it
 * succeeded.
 */
export function refundTaken(
  reply: AlipayReply,
  { refundReference: channelRef }: RefundRequest,
): RefundOutcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  if (isRefused(reply, NOT_REFUNDED))
    return { kind: 'failed', cause: 'declined', message: 'Alipay refused the refund', channelRef }
  return reply.content.code === OK
    ? { kind: 'pending', channelRef }
    : unknown(`Alipay responded ${codesOf(reply.content)}`)
}

function codesOf({ code, sub_code: subCode }: Fields): string {
  return [code, subCode].filter((one) => typeof one === 'string' && /^[\w.-]{1,64}$/.test(one)).join(' ')
}
const declined: Failed = failed('declined', 'The payment was declined at Alipay')
