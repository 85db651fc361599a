// Charges of the sandbox's WeChat Pay in the words of its API v3.
import { createHash } from 'node:crypto'
import { type Fields, isObject } from '../../base/object.ts'
import type { BankCharge, BankOrder, BankRefund, ChargeStatus, RefundOrder } from '../bank/charge.ts'
import { fieldsOf, InvalidRequest, readAddress, readMoney, readText } from '../issuer-request.ts'

export type Account = { readonly mchid: string; readonly appid: string }

const numberPattern = /^[A-Za-z0-9_*-]{6,32}$/

export function readOrder(body: Fields, { mchid, appid }: Account): BankOrder {
  if (body.mchid !== mchid || body.appid !== appid) throw new InvalidRequest('appid and mchid do not match')
  return {
    reference: readText(body, 'out_trade_no', numberPattern),
    ...moneyIn(body.amount, 'total'),
    returnUrl: '',
    callbackUrl: readAddress(body, 'notify_url'),
    payee: readText(body, 'description', /^[^\p{Cc}]{1,127}$/u),
    extra: {},
  }
}

/** Numbers in JSON here, digits in the book. */
function moneyIn(told: unknown, name: string): { amount: string; currency: string } {
  const { [name]: amount, currency = 'CNY' } = isObject(told) ? told : {}
  if (typeof amount !== 'number') throw new InvalidRequest('amount is missing or wrong')
  return readMoney({ amount: String(amount), currency })
}

function toNumber(digits: string): number {
  return Number(digits)
}

const states: Readonly<Record<ChargeStatus, string>> = {
  open: 'NOTPAY',
  paid: 'SUCCESS',
  cancelled: 'CLOSED',
  declined: 'PAYERROR',
}

export function toOrder(charge: BankCharge, { mchid, appid }: Account): Fields {
  const total = toNumber(charge.amount)
  const { currency, deposits } = charge
  const [payment] = deposits
  return {
    appid,
    mchid,
    out_trade_no: charge.reference,
    trade_state: states[charge.status],
    trade_state_desc: charge.reason,
    amount: { total, currency, payer_total: total, payer_currency: currency },
    ...(payment && {
      transaction_id: transactionId(charge),
      trade_type: 'NATIVE',
      success_time: payment.at.toISOString(),
    }),
  }
}

/** 28 digits, as the platform counts. */
export function transactionId({ id }: BankCharge): string {
  const digits = BigInt(`0x${createHash('sha256').update(id).digest('hex')}`).toString()
  return `4200${digits.slice(0, 24)}`
}

export function readRefund(body: Fields): RefundOrder {
  return {
    refundReference: readText(body, 'out_refund_no', /^[A-Za-z0-9_|*@-]{1,64}$/),
    reference: readText(body, 'out_trade_no', numberPattern),
    ...moneyIn(fieldsOf(body.amount), 'refund'),
  }
}

const refundStates = { processing: 'PROCESSING', succeeded: 'SUCCESS', failed: 'CLOSED' } as const

export function toRefund(refund: BankRefund): Fields {
  return {
    refund_id: refund.id,
    out_refund_no: refund.refundReference,
    out_trade_no: refund.reference,
    status: refundStates[refund.status],
    amount: { refund: toNumber(refund.amount), currency: refund.currency },
  }
}
