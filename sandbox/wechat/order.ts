// Maps charges to the orders of WeChat Pay's API v3 and back.
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { type Fields, isObject } from '../../src/platform/base/object.ts'
import type { BankCharge, BankOrder, BankRefund, ChargeStatus, RefundOrder } from '../bank/charge.ts'
import { fieldsOf, InvalidRequest, readAddress, readMoney, readText } from '../issuer-request.ts'

export type Account = {
  readonly mchid: string
  readonly appid: string
  readonly mobileAppid: string
  readonly miniProgramAppid: string
}

export type TradeType = 'NATIVE' | 'MWEB' | 'APP' | 'JSAPI'

/** Each kind of order has its own appid. */
export function appids(account: Account): Readonly<Record<TradeType, string>> {
  const { appid, mobileAppid: APP, miniProgramAppid: JSAPI } = account
  return { NATIVE: appid, MWEB: appid, APP, JSAPI }
}

const numberPattern = /^[A-Za-z0-9_*-]{6,32}$/

export function readOrder(body: Fields, account: Account, tradeType: TradeType): BankOrder {
  if (body.mchid !== account.mchid || body.appid !== appids(account)[tradeType])
    throw new InvalidRequest('appid and mchid do not match')
  if (tradeType === 'MWEB') checkScene(fieldsOf(body.scene_info))
  if (tradeType === 'JSAPI') readText(fieldsOf(body.payer), 'openid', /^[\w-]{1,128}$/)
  return {
    reference: readText(body, 'out_trade_no', numberPattern),
    ...moneyIn(body.amount, 'total'),
    returnUrl: '',
    callbackUrl: readAddress(body, 'notify_url'),
    payee: readText(body, 'description', /^[^\p{Cc}]{1,127}$/u),
    extra: { tradeType },
  }
}

/** An H5 order must contain the payer's IP address. */
function checkScene(scene: Fields): void {
  if (isIP(readText(scene, 'payer_client_ip', /^[\da-f.:]{2,45}$/i)) === 0)
    throw new InvalidRequest('payer_client_ip is not an IP address')
  readText(fieldsOf(scene.h5_info), 'type', /^(iOS|Android|Wap)$/)
}

/** Reads an amount. In JSON, the amount is a number. In the book, the amount is a text of digits. */
function moneyIn(value: unknown, name: string): { amount: string; currency: string } {
  const { [name]: amount, currency = 'CNY' } = isObject(value) ? value : {}
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

export function toOrder(charge: BankCharge, account: Account): Fields {
  const total = toNumber(charge.amount)
  const { currency, deposits } = charge
  const [payment] = deposits
  const tradeType = tradeTypeOf(charge)
  return {
    appid: appids(account)[tradeType],
    mchid: account.mchid,
    out_trade_no: charge.reference,
    trade_state: states[charge.status],
    trade_state_desc: charge.reason,
    amount: { total, currency, payer_total: total, payer_currency: currency },
    ...(payment && {
      transaction_id: transactionId(charge),
      trade_type: tradeType,
      success_time: payment.at.toISOString(),
    }),
  }
}

function tradeTypeOf({ extra: { tradeType } }: BankCharge): TradeType {
  return tradeType === 'MWEB' || tradeType === 'APP' || tradeType === 'JSAPI' ? tradeType : 'NATIVE'
}

/** The transaction id has 28 digits, like WeChat Pay's. */
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
