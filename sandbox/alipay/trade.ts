// Maps charges to Alipay's trades and back.
import { createHash } from 'node:crypto'
import { formatAmount, parseAmount } from '../../src/platform/base/money.ts'
import type { Fields } from '../../src/platform/base/object.ts'
import type { BankCharge, BankOrder, BankRefund, ChargeStatus, RefundOrder } from '../bank/charge.ts'
import { InvalidRequest, readAddress, readMoney, readText } from '../issuer-request.ts'
import type { Params } from './signature.ts'

const numberPattern = /^[A-Za-z0-9_]{1,64}$/
const BEIJING_MS = 8 * 3_600_000

export function readNumber(content: Fields): string {
  return readText(content, 'out_trade_no', numberPattern)
}

/** The product code that each operation requires: for a desktop browser, a phone browser and the merchant's app. */
export const products: Readonly<Record<string, RegExp>> = {
  'alipay.trade.page.pay': /^FAST_INSTANT_TRADE_PAY$/,
  'alipay.trade.wap.pay': /^QUICK_WAP_WAY$/,
  'alipay.trade.app.pay': /^QUICK_MSECURITY_PAY$/,
}

export function readTrade(content: Fields, params: Params): BankOrder {
  const { method = '' } = params
  readText(content, 'product_code', products[method] ?? /^$/)
  if (method === 'alipay.trade.wap.pay') readAddress(content, 'quit_url')
  return {
    reference: readNumber(content),
    ...moneyIn(content, 'total_amount', 'trans_currency'),
    // An app order needs no return address, because Alipay's SDK returns the result to the app.
    returnUrl: method === 'alipay.trade.app.pay' ? '' : readAddress(params, 'return_url'),
    callbackUrl: readAddress(params, 'notify_url'),
    payee: readText(content, 'subject', /^[^\p{Cc}]{1,256}$/u),
    extra: {},
  }
}

function moneyIn(content: Fields, amountName: string, currencyName: string) {
  const { [amountName]: text, [currencyName]: currency = 'CNY' } = content
  if (typeof text !== 'string' || typeof currency !== 'string') throw new InvalidRequest('no amount')
  const { currency: known } = readMoney({ amount: '1', currency })
  return readMoney({ amount: String(parseAmount(text, known)), currency: known })
}

const statuses: Readonly<Record<ChargeStatus, string>> = {
  open: 'WAIT_BUYER_PAY',
  paid: 'TRADE_SUCCESS',
  cancelled: 'TRADE_CLOSED',
  declined: 'TRADE_CLOSED',
}

export function toTrade(charge: BankCharge): Params {
  const { amount, currency, deposits, status } = charge
  const [payment] = deposits
  return {
    out_trade_no: charge.reference,
    trade_no: tradeNoOf(charge),
    trade_status: statuses[status],
    ...(amount !== '' && { total_amount: formatAmount(BigInt(amount), currency), trans_currency: currency }),
    ...(payment && { send_pay_date: toTime(payment.at) }),
    ...(status === 'cancelled' && { ext_infos: JSON.stringify({ action: 'cancel' }) }),
  }
}

/** The trade number has 28 digits, like Alipay's. */
function tradeNoOf({ id }: { readonly id: string }): string {
  const digits = BigInt(`0x${createHash('sha256').update(id).digest('hex')}`).toString()
  return `2026${digits.slice(0, 24)}`
}

export function toTime(at: Date): string {
  return new Date(at.getTime() + BEIJING_MS).toISOString().slice(0, 19).replace('T', ' ')
}

export function readRefund(content: Fields, currency: string): RefundOrder {
  return {
    reference: readNumber(content),
    refundReference: readText(content, 'out_request_no', numberPattern),
    ...moneyIn({ refund_currency: currency, ...content }, 'refund_amount', 'refund_currency'),
  }
}

/** Adds a status only to a refund that has succeeded, as Alipay does. */
export function toRefund({ reference, refundReference, amount, currency, status }: BankRefund): Fields {
  return {
    out_trade_no: reference,
    out_request_no: refundReference,
    ...(status === 'succeeded' && {
      refund_status: 'REFUND_SUCCESS',
      refund_amount: formatAmount(BigInt(amount), currency),
    }),
  }
}
