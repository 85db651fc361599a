// Reads Adyen's responses about payments. A response that is malformed, or that has an unknown result, gives `unknown`.

import { decimalsOf, isFiat } from '../../../platform/base/currency.ts'
import { isIban } from '../../../platform/base/iban.ts'
import { type Money, rescaleExactly } from '../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type { Failed, Outcome, PayerAction, Unknown } from '../../contract/channel.ts'
import { epcQr } from '../../toolkit/formats/epc-qr.ts'
import { cancelled, failed, isWebAddress, unknown } from '../../toolkit/outcomes.ts'
import { type AdyenReply, isRefusal, isUnauthorised, whyOpen } from './api.ts'

/** A partial authorisation, which counts as declined and must be reversed. */
export type PartlyPaid = {
  readonly kind: 'partial'
  readonly psp: string
  readonly money: Money | undefined
}

/** A response that does not prove its result: it has another reference or none, or lacks the authorised amount. */
type Unproven = { readonly kind: 'unproven' }

type Asked = {
  readonly reference: string
  readonly money: Money
  /** The payer's action, if it is already known. */
  readonly action?: PayerAction | undefined
}

/**
 * Reads the response to a new payment. The payment has failed if the request was never sent, or if Adyen refused the
 * request or our API key.
 */
export function fromStart(reply: AdyenReply, asked: Asked): Outcome | PartlyPaid {
  if (reply.kind === 'unsent') return failed('unreachable', 'Adyen could not be reached')
  const message = 'Adyen refused to open the payment'
  if (isUnauthorised(reply)) return failed('unauthorised', message)
  if (isRefusal(reply)) return failed('refused', message)
  const result = fromPayment(withRequest(reply, asked), asked)
  return result.kind === 'unproven' ? unknown('Adyen responded about another payment') : result
}

/** Adds the fields of our request that Adyen's response may leave out. */
function withRequest(reply: AdyenReply, { reference, money }: Asked): AdyenReply {
  if (reply.kind !== 'answer') return reply
  // The amount is added only for a full authorisation.
  const amount = reply.body.resultCode === 'Authorised' ? { amount: toAmount(money) } : {}
  return { ...reply, body: { merchantReference: reference, ...amount, ...reply.body } }
}

/**
 * Reads a response about a payment, without adding fields of our request. Adyen's response to a parameter of the
 * payer's browser may be about any payment of the account.
 */
export function fromPayment(reply: AdyenReply, asked: Asked): Outcome | PartlyPaid | Unproven {
  if (reply.kind !== 'answer' || (reply.status !== 200 && reply.status !== 201))
    return unknown(whyOpen(reply))
  const { body } = reply
  const { resultCode, merchantReference } = body
  if (merchantReference !== asked.reference) return { kind: 'unproven' }
  switch (resultCode) {
    case 'Authorised':
      return authorised(body)
    case 'Refused':
    case 'Error':
      return { ...declined, ...adviceOf(body), ...refOf(body) }
    case 'Cancelled':
      return { ...cancelledByPayer, ...refOf(body) }
    case 'Pending':
    case 'Received':
    case 'PresentToShopper':
    case 'RedirectShopper':
      return pending(body, asked)
    case 'PartiallyAuthorised':
      return partly(body)
    default:
      return unknown('Adyen sent a result that is not known')
  }
}

const NO_PSP = "Adyen's response has no pspReference"

function authorised(body: Fields): Outcome | Unproven {
  const channelRef = pspOf(body)
  if (body.amount === undefined) return { kind: 'unproven' }
  const money = fromAmount(body.amount)
  if (channelRef === undefined) return unknown(NO_PSP)
  return money === undefined
    ? unknown("Adyen's response has no amount")
    : { kind: 'succeeded', money, channelRef }
}

function partly(body: Fields): PartlyPaid | Unknown {
  const psp = pspOf(body)
  return psp === undefined ? unknown(NO_PSP) : { kind: 'partial', psp, money: fromAmount(body.amount) }
}

function pending(body: Fields, asked: Asked): Outcome {
  const action = toAction(body.action, asked.money) ?? asked.action
  return action === undefined
    ? unknown('Adyen wants the payer to do something that our page cannot show')
    : { kind: 'pending', channelRef: pspOf(body) ?? asked.reference, action }
}

/** Returns the action if our pages can show it and its amount is right. Undefined for any other action. */
export function toAction(action: unknown, money: Money): PayerAction | undefined {
  if (!isObject(action)) return undefined
  if (action.type === 'redirect') return toRedirect(action)
  if (action.type === 'bankTransfer') return toTransfer(action, money)
  const { type, qrCodeData } = action
  return type === 'qrCode' && typeof qrCodeData === 'string' && qrCodeData !== ''
    ? { kind: 'qr', qrCode: qrCodeData }
    : undefined
}

function toRedirect({ url, method = 'GET', data }: Fields): PayerAction | undefined {
  if (!isWebAddress(url)) return undefined
  if (method === 'GET') return { kind: 'redirect', url }
  return method === 'POST' && isTexts(data) ? { kind: 'redirect', url, fields: data } : undefined
}

function isTexts(data: unknown): data is Readonly<Record<string, string>> {
  return isObject(data) && Object.values(data).every((one) => typeof one === 'string')
}

function toTransfer(action: Fields, money: Money): PayerAction | undefined {
  const { iban: account, bic, beneficiary: payee, reference, totalAmount } = action
  if (typeof account !== 'string' || !isIban(account) || typeof payee !== 'string') return undefined
  if (typeof bic !== 'string' || typeof reference !== 'string') return undefined
  const total = totalAmount === undefined ? money : fromAmount(totalAmount)
  if (total?.amount !== money.amount || total.currency !== money.currency) return undefined
  const qrCode = epcQr({ iban: account, bic, payee, money, reference })
  if (qrCode === undefined) return undefined
  return { kind: 'transfer', accountKind: 'iban', account, bic, payee, reference, qrCode }
}

/** The message does not contain the bank's reason, because Adyen forbids showing it to payers. */
export const declined: Failed = failed('declined', 'The payment was declined')
const cancelledByPayer: Failed = { ...cancelled, message: 'The payer cancelled the payment' }

const WANTS_CHALLENGE = '38'
/**
 * Refusal codes for a blocked card, a card number that does not exist, a restricted card, an authorisation that the
 * payer has withdrawn, and an attempt that Adyen itself stopped.
 */
const NEVER_AGAIN: readonly unknown[] = ['5', '8', '25', '26', '46']

/** Mastercard's advice codes "do not try again" (03) and "the payer has withdrawn the authorisation" (21). */
const FORBIDDEN = /^(03|21)\b/

function adviceOf({ refusalReasonCode: code, additionalData }: Fields): Pick<Failed, 'advice'> {
  const { merchantAdviceCode: advised } = isObject(additionalData) ? additionalData : {}
  const isForbidden = typeof advised === 'string' && FORBIDDEN.test(advised)
  // `never` has priority over `challenge`, because a challenge would be another attempt.
  if (isForbidden || NEVER_AGAIN.includes(code)) return { advice: 'never' }
  return code === WANTS_CHALLENGE ? { advice: 'challenge' } : {}
}

function refOf(body: Fields): Pick<Failed, 'channelRef'> {
  const channelRef = pspOf(body)
  return channelRef === undefined ? {} : { channelRef }
}

export function pspOf({ pspReference: psp }: Fields): string | undefined {
  return isPsp(psp) ? psp : undefined
}

export function isPsp(psp: unknown): psp is string {
  return typeof psp === 'string' && /^[A-Za-z0-9]{1,64}$/.test(psp)
}

// Adyen's amounts are whole minor units. For some currencies its number of decimals differs from ISO 4217.

const unlikeIso: ReadonlyMap<string, number> = new Map([
  ['CLP', 2],
  ['ISK', 2],
  ['CVE', 0],
  ['IDR', 0],
])

/** Converts to Adyen's amount. Undefined if Adyen cannot express the amount, such as hundredths of a rupiah. */
export function toAmount({ amount, currency }: Money): Fields | undefined {
  const value = rescaleExactly(amount, decimalsOf(currency), adyenDecimals(currency))
  if (value === undefined || value > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return { currency, value: Number(value) }
}

/** Converts from Adyen's amount. Undefined if the amount is malformed, or if we cannot express it. */
export function fromAmount(field: unknown): Money | undefined {
  const { value, currency } = isObject(field) ? field : {}
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return undefined
  if (typeof currency !== 'string' || !isFiat(currency)) return undefined
  const amount = rescaleExactly(BigInt(value), adyenDecimals(currency), decimalsOf(currency))
  return amount === undefined ? undefined : { amount, currency }
}

function adyenDecimals(currency: string): number {
  return unlikeIso.get(currency) ?? decimalsOf(currency)
}
