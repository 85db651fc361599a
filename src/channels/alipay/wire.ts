// Alipay's words to ours; pure. What does not read as promised, or speaks of another trade, is `unknown`.
import { isFiat } from '../../base/currency.ts'
import { formatAmount, type Money, parseAmount } from '../../base/money.ts'
import { type Fields, isObject } from '../../base/object.ts'
import { parseJson } from '../../http/client/http-client.ts'
import type { Failed, Outcome, PayerAction, RefundOutcome, RefundRequest, Unknown } from '../contract.ts'
import type { AlipayReply } from './alipay-api.ts'

const OK = '10000'
/** The business said no, as `sub_code` tells; other codes leave open what was done. */
const BUSINESS_FAILED = '40004'
const DOMESTIC = 'CNY'

export type TradeRef = {
  readonly reference: string
  /** What the payer was told to do. */
  readonly action?: PayerAction | undefined
  /** Whether the page that the payer was told of can be paid no more. */
  readonly isOver: boolean
}

export function fromTrade(reply: AlipayReply, trade: TradeRef): Outcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const { code, out_trade_no: reference } = reply.content
  if (code !== OK) return unknown(`Alipay answered ${String(code).slice(0, 10)}`)
  if (reference !== trade.reference) return unknown('told about another trade')
  return stateOf(reply.content, trade)
}

function stateOf(content: Fields, { reference, action, isOver }: TradeRef): Outcome {
  const { trade_status: status, trade_no: no } = content
  const channelRef = typeof no === 'string' && no !== '' ? no : reference
  if (status === 'TRADE_SUCCESS' || status === 'TRADE_FINISHED' || wasPaid(content))
    return paid(content, channelRef)
  if (status === 'TRADE_CLOSED')
    return { ...(isOver || wasCancelled(content) ? cancelled : declined), channelRef }
  if (status !== 'WAIT_BUYER_PAY') return unknown('told no state that we know')
  return action === undefined
    ? unknown('the trade waits for its payer, and what the payer was told is not known here')
    : { kind: 'pending', channelRef: reference, action }
}

/** A trade that was refunded in full is closed too, but knows when it was paid. */
function wasPaid({ trade_status: status, send_pay_date: paidAt }: Fields): boolean {
  return status === 'TRADE_CLOSED' && typeof paidAt === 'string' && paidAt !== ''
}

function wasCancelled({ ext_infos: infos }: Fields): boolean {
  const told = typeof infos === 'string' ? parseJson(infos) : undefined
  return isObject(told) && told.action === 'cancel'
}

/** From an answer or a notification, which name things alike. */
export function paid(content: Fields, channelRef: string): Outcome {
  const money = moneyIn(content, 'total_amount')
  return money === undefined ? unknown('told no amount') : { kind: 'succeeded', money, channelRef }
}

/** Where no currency is named it is the domestic one. */
function moneyIn(content: Fields, name: string): Money | undefined {
  const { [name]: text, trans_currency: currency = DOMESTIC } = content
  if (typeof text !== 'string' || typeof currency !== 'string' || !isFiat(currency)) return undefined
  const amount = parseAmount(text, currency)
  return amount === undefined ? undefined : { amount, currency }
}

export function isAbsent(reply: AlipayReply): boolean {
  return isRefusal(reply) && subCodeOf(reply) === 'ACQ.TRADE_NOT_EXIST'
}

/** The number was closed before anything was opened under it. */
export function isClosedNumber(reply: AlipayReply): boolean {
  return isRefusal(reply) && subCodeOf(reply) === 'ACQ.TRADE_HAS_CLOSE'
}

/** For certain nothing was done. */
export function isRefusal(reply: AlipayReply): boolean {
  return reply.kind === 'answer' && reply.content.code === BUSINESS_FAILED && !isTheirFault(reply)
}

/** Their system broke down: what was done before is not known. */
function isTheirFault(reply: AlipayReply): boolean {
  return /SYSTEM_ERROR$/.test(subCodeOf(reply))
}

function subCodeOf(reply: AlipayReply): string {
  const code = reply.kind === 'answer' ? reply.content.sub_code : undefined
  return typeof code === 'string' ? code : ''
}

export function toRefund({ reference, refundReference, refund }: RefundRequest): Fields {
  return {
    out_trade_no: reference,
    out_request_no: refundReference,
    refund_amount: formatAmount(refund.amount, refund.currency),
    refund_currency: refund.currency,
  }
}

/** Undefined while Alipay does not say that it is done: it says nothing of refunds that it does not know, either. */
export function refundDone(reply: AlipayReply, request: RefundRequest): RefundOutcome | undefined {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const { code, refund_status: status, out_request_no: no, refund_amount: text } = reply.content
  if (code !== OK || status !== 'REFUND_SUCCESS') return undefined
  if (no !== request.refundReference) return unknown('told about another refund')
  const { currency } = request.refund
  const amount = typeof text === 'string' ? parseAmount(text, currency) : undefined
  if (amount === undefined) return unknown('told no amount')
  return { kind: 'succeeded', money: { amount, currency }, channelRef: request.refundReference }
}

/** Alipay took the refund on, or would not. */
export function refundTaken(
  reply: AlipayReply,
  { refundReference: channelRef }: RefundRequest,
): RefundOutcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  if (isRefusal(reply))
    return { kind: 'failed', cause: 'declined', message: 'Alipay refused the refund', channelRef }
  return reply.content.code === OK
    ? { kind: 'pending', channelRef }
    : unknown(`Alipay answered ${String(reply.content.code).slice(0, 10)}`)
}

export const cancelled: Failed = {
  kind: 'failed',
  cause: 'cancelled',
  message: 'Cancelled; nothing was charged',
}
const declined: Failed = { kind: 'failed', cause: 'declined', message: 'The payment was declined at Alipay' }

export function unknown(why: string): Unknown {
  return { kind: 'unknown', why }
}
