// Reads Adyen's answers. An answer that is malformed, about another payment, or with a result that we do not know is `unknown`.
import { isIban } from '../../base/iban.ts'
import type { Money } from '../../base/money.ts'
import { type Fields, isObject } from '../../base/object.ts'
import type { Failed, Outcome, PayerAction, Unknown } from '../contract.ts'
import { epcQr } from '../sepa/epc-qr.ts'
import { type AdyenReply, isRefusal, isUnauthorised, whyOpen } from './adyen-api.ts'
import { fromAmount, toAmount } from './amounts.ts'

/** Part of the amount was authorised. It counts as declined, and has to be reversed. */
export type PartlyPaid = {
  readonly kind: 'partial'
  readonly psp: string
  readonly money: Money | undefined
}

/** The answer is about a payment of another reference, or does not say about which, or how much was authorised. */
export type Unproven = { readonly kind: 'unproven' }

export type Asked = {
  readonly reference: string
  readonly money: Money
  /** The payer's action, if it is known already. */
  readonly action?: PayerAction | undefined
}

/** Opening a payment can fail for certain: it was never sent, or refused as a whole. */
export function fromStart(reply: AdyenReply, asked: Asked): Outcome | PartlyPaid {
  if (reply.kind === 'unsent')
    return { kind: 'failed', cause: 'unreachable', message: 'Adyen could not be reached' }
  const message = 'Adyen refused to open the payment'
  if (isUnauthorised(reply)) return { kind: 'failed', cause: 'unauthorised', message }
  if (isRefusal(reply)) return { kind: 'failed', cause: 'refused', message }
  const result = fromPayment(withRequest(reply, asked), asked)
  return result.kind === 'unproven' ? unknown('Adyen responded about another payment') : result
}

/** Adyen may leave out of its answer what our own request said. */
function withRequest(reply: AdyenReply, { reference, money }: Asked): AdyenReply {
  if (reply.kind !== 'answer') return reply
  // A part is not what we asked for.
  const amount = reply.body.resultCode === 'Authorised' ? { amount: toAmount(money) } : {}
  return { ...reply, body: { merchantReference: reference, ...amount, ...reply.body } }
}

/** What is absent is not taken from the request: what a browser brings back may belong to any payment of the account. */
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

/** Undefined when our pages cannot show it, or when it asks for another amount. */
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
  if (typeof url !== 'string' || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return undefined
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

/** Adyen forbids to show payers why the bank declined. */
export const declined: Failed = { kind: 'failed', cause: 'declined', message: 'The payment was declined' }
export const cancelled: Failed = {
  kind: 'failed',
  cause: 'cancelled',
  message: 'Cancelled; nothing was charged',
}
const cancelledByPayer: Failed = { ...cancelled, message: 'The payer cancelled the payment' }

const WANTS_CHALLENGE = '38'
/**
 * A blocked card, a number that does not exist, a restricted card, an authorisation that the payer has withdrawn, and a try
 * that Adyen itself stopped because the networks charge for more of them.
 */
const NEVER_AGAIN: readonly unknown[] = ['5', '8', '25', '26', '46']

/** Mastercard's own advice: do not try again, or the payer has withdrawn the authorisation. */
const FORBIDDEN = /^(03|21)\b/

function adviceOf({ refusalReasonCode: code, additionalData }: Fields): Pick<Failed, 'advice'> {
  const { merchantAdviceCode: advised } = isObject(additionalData) ? additionalData : {}
  const isForbidden = typeof advised === 'string' && FORBIDDEN.test(advised)
  // First: a challenge would be another try.
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

export function unknown(why: string): Unknown {
  return { kind: 'unknown', why }
}
