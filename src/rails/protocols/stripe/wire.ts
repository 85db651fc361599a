// Maps payments and refunds to Stripe's objects and back. A response that is malformed or about another payment gives
// `unknown`.

import { decimalsOf, isFiat } from '../../../platform/base/currency.ts'
import { type Money, rescaleExactly } from '../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type {
  AttemptRef,
  Failed,
  Outcome,
  RefundOutcome,
  RefundRequest,
  Unknown,
} from '../../contract/channel.ts'
import { responded } from '../../contract/counterparty-texts.ts'
import { cancelled, failed, unknown } from '../../toolkit/outcomes.ts'
import type { Reply } from '../../toolkit/transport.ts'
import type { FormFields } from './form.ts'
import { actionOf } from './payment-methods.ts'

/** The metadata fields that contain our references. */
export const ORDER = 'order'
export const REFUND = 'refund'

/**
 * Returns the form that opens a payment without charging it. The form depends on the reference, amount and type only,
 * because Stripe refuses a repeated request with other parameters. Undefined if Stripe cannot express the amount.
 */
export function toPayment({ reference, money }: AttemptRef, type: string): FormFields | undefined {
  const amount = toStripeAmount(money)
  if (amount === undefined) return undefined
  return {
    amount,
    currency: money.currency.toLowerCase(),
    payment_method_types: [type],
    metadata: { [ORDER]: reference },
  }
}

/** True if the form opened this payment. A different payment must never be confirmed, cancelled or refunded. */
export function isOpenedBy(payment: Fields, form: FormFields, reference: string): boolean {
  const isSameMoney = String(payment.amount) === form.amount && payment.currency === form.currency
  return isSameMoney && metadataOf(payment, ORDER) === reference
}

export function toRefund({ refundReference, refund }: RefundRequest, id: string): FormFields | undefined {
  const amount = toStripeAmount(refund)
  return amount === undefined
    ? undefined
    : { payment_intent: id, amount, metadata: { [REFUND]: refundReference } }
}

/** Returns the object in a response with the status 200. Undefined for another status or kind, or an invalid id. */
export function objectIn(reply: Reply, kind: string): (Fields & { readonly id: string }) | undefined {
  const body = reply.kind === 'answer' && reply.status === 200 ? reply.body : undefined
  if (!isObject(body) || body.object !== kind) return undefined
  const { id } = body
  return isId(id) ? { ...body, id } : undefined
}

/** True if the id can safely be part of a path. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && /^\w{1,255}$/.test(id)
}

export function metadataOf({ metadata }: Fields, name: string): string | undefined {
  const value = isObject(metadata) ? metadata[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * True if Stripe has not processed a confirmation of the payment yet. A confirmation may still be on its way to Stripe.
 */
export function isUnconfirmed({ status, last_payment_error: error }: Fields): boolean {
  return status === 'requires_confirmation' || (status === 'requires_payment_method' && !isObject(error))
}

export function fromPayment(reply: Reply, attempt: Pick<AttemptRef, 'reference' | 'action'>): Outcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const payment = objectIn(reply, 'payment_intent')
  if (payment === undefined) return unknown(`Stripe responded ${reply.status} without a payment`)
  if (metadataOf(payment, ORDER) !== attempt.reference)
    return unknown('Stripe responded about another payment')
  const { id, status } = payment
  if (status === 'succeeded') return paid(payment, id)
  if (status === 'canceled') return { ...cancelled, channelRef: id }
  if (isUnconfirmed(payment)) return unknown('nobody has confirmed the payment yet')
  if (status === 'requires_payment_method') return declined(payment.last_payment_error, id)
  if (!waiting.some((one) => one === status)) return unknown("Stripe's payment has no known status")
  const action = actionOf(payment) ?? attempt.action
  return action === undefined
    ? unknown('Stripe is still processing the payment')
    : { kind: 'pending', channelRef: id, action }
}

const waiting = ['requires_action', 'processing', 'requires_capture'] as const

function paid({ amount_received: amount, currency }: Fields, channelRef: string): Outcome {
  const money = fromStripeAmount(amount, currency)
  return money === undefined
    ? unknown("Stripe's payment has no amount")
    : { kind: 'succeeded', money, channelRef }
}

/** Returns the decline of this payment in a response. Undefined for all other responses. */
export function declineIn(reply: Reply, id: string): Failed | undefined {
  if (reply.kind !== 'answer' || reply.status !== 402) return undefined
  const { error } = isObject(reply.body) ? reply.body : {}
  if (!isObject(error) || error.type !== 'card_error') return undefined
  const { payment_intent: payment } = error
  return isObject(payment) && payment.id !== id ? undefined : declined(error, id)
}

/**
 * True if Stripe certainly did nothing: the request was invalid, or Stripe did not accept our API key. Errors of other
 * types are Stripe's internal errors or unknown, and decide nothing.
 */
export function isRefusal(reply: Reply, statuses: readonly number[] = [400, 401, 403]): boolean {
  const { type, code } = errorIn(reply, statuses)
  return type === 'invalid_request_error' && !OTHERS_HAVE_IT.includes(code)
}

/** The error codes while another request, whose outcome is open, uses the same object or idempotency key. */
const OTHERS_HAVE_IT: readonly unknown[] = ['lock_timeout', 'idempotency_key_in_use']

/** True if an earlier request had the same idempotency key and other parameters. */
export function isKeyTaken(reply: Reply): boolean {
  const { type, code } = errorIn(reply, [400])
  return type === 'idempotency_error' && !OTHERS_HAVE_IT.includes(code)
}

function errorIn(reply: Reply, statuses: readonly number[]): Fields {
  if (reply.kind !== 'answer' || !statuses.includes(reply.status)) return {}
  const { error } = isObject(reply.body) ? reply.body : {}
  return isObject(error) ? error : {}
}

export function fromRefund(refund: Fields & { readonly id: string }): RefundOutcome {
  const { id: channelRef, status, amount, currency } = refund
  if (status === 'pending' || status === 'requires_action') return { kind: 'pending', channelRef }
  if (status === 'failed' || status === 'canceled')
    return { kind: 'failed', cause: 'declined', message: 'Stripe could not carry out the refund', channelRef }
  const money = fromStripeAmount(amount, currency)
  if (status !== 'succeeded' || money === undefined) return unknown("Stripe's refund has no known status")
  return { kind: 'succeeded', money, channelRef }
}

/** Returns the objects on a page of a list, and whether more pages follow. Undefined if the page is malformed. */
export function listIn(
  reply: Reply,
): { readonly list: readonly Fields[]; readonly hasMore: boolean } | undefined {
  const body = reply.kind === 'answer' && reply.status === 200 ? reply.body : undefined
  if (!isObject(body) || !Array.isArray(body.data) || typeof body.has_more !== 'boolean') return undefined
  const list = body.data.filter(isObject)
  return list.length === body.data.length ? { list, hasMore: body.has_more } : undefined
}

export const refused: Failed = failed('refused', 'Stripe refused to open the payment')

export const unreachable: Failed = failed('unreachable', 'Stripe could not be reached')

export const refundRefused: Failed = failed('declined', 'Stripe refused the refund')

export function whyUnknown(reply: Reply): Unknown {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const { code, type } = errorIn(reply, [reply.status])
  return unknown(responded('Stripe', reply.status, code ?? type))
}

// Amounts. Stripe's minor units are not always those of ISO 4217.

const withoutDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** In amounts of these currencies, Stripe requires 0 as the last digit. */
const withThreeDecimals = 'BHD JOD KWD OMR TND'.split(' ')

function stripeDecimals(currency: string): number {
  if (withoutDecimals.includes(currency)) return 0
  return withThreeDecimals.includes(currency) ? 3 : 2
}

/** Converts to Stripe's amount. Undefined if Stripe cannot express the amount. */
export function toStripeAmount({ amount, currency }: Money): string | undefined {
  const scaled = rescaleExactly(amount, decimalsOf(currency), stripeDecimals(currency))
  const isRounded = !withThreeDecimals.includes(currency) || amount % 10n === 0n
  return isRounded ? scaled?.toString() : undefined
}

/** Converts from Stripe's amount. Undefined if a value is malformed, or if our minor unit cannot express the amount. */
export function fromStripeAmount(value: unknown, code: unknown): Money | undefined {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return undefined
  const currency = typeof code === 'string' ? code.toUpperCase() : ''
  if (!isFiat(currency)) return undefined
  const amount = rescaleExactly(BigInt(value), stripeDecimals(currency), decimalsOf(currency))
  return amount === undefined ? undefined : { amount, currency }
}

// Declines, in our own words. No message says that the card is lost or stolen, because the payer may be the thief.

const messages: ReadonlyMap<string, string> = new Map([
  ['insufficient_funds', 'Insufficient funds'],
  ['expired_card', 'The card has expired'],
  ['incorrect_cvc', 'The security code is wrong'],
  ['incorrect_number', 'The card number is not valid'],
  ['card_not_supported', 'The card does not allow this payment'],
  ['authentication_required', "The payer's bank wants the payer to confirm the payment"],
  ['payment_intent_authentication_failure', 'The payer did not confirm the payment'],
  ['processing_error', "The payer's bank could not process the payment"],
  ['issuer_not_available', "The payer's bank could not be reached"],
])

/**
 * The codes after which the card networks forbid another attempt. The last code is an advice code, the others are
 * decline codes.
 */
const never: readonly string[] = [
  'lost_card',
  'stolen_card',
  'pickup_card',
  'fraudulent',
  'invalid_account',
  'restricted_card',
  'stop_payment_order',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'do_not_try_again',
]

/** Reads a decline. `error` is a response's error or a payment's `last_payment_error`, which have the same fields. */
function declined(error: unknown, channelRef: string): Failed {
  const { code, decline_code: declineCode, advice_code: adviceCode }: Fields = isObject(error) ? error : {}
  const names = [declineCode, code, adviceCode].filter((one) => typeof one === 'string')
  const message = names.map((name) => messages.get(name)).find((text) => text !== undefined)
  return {
    kind: 'failed',
    cause: 'declined',
    message: message ?? 'The bank declined the payment',
    channelRef,
    ...adviceOf(names),
  }
}

function adviceOf(names: readonly string[]): Pick<Failed, 'advice'> {
  // `never` has priority over `challenge`, because a challenge would be another attempt.
  if (names.some((name) => never.includes(name))) return { advice: 'never' }
  return names.includes('authentication_required') ? { advice: 'challenge' } : {}
}
