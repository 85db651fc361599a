// Maps Stripe's payments and refunds to our types. A response that is malformed or about another payment is `unknown`.
import { type Fields, isObject } from '../../base/object.ts'
import type { AttemptRef, Failed, Outcome, RefundOutcome, RefundRequest, Unknown } from '../contract.ts'
import { responded } from '../their-reason.ts'
import type { Reply } from '../transport.ts'
import { fromStripeAmount, toStripeAmount } from './amount.ts'
import { declined } from './declines.ts'
import type { FormFields } from './form.ts'
import { actionOf } from './payment-methods.ts'

/** Our references at Stripe. */
export const ORDER = 'order'
export const REFUND = 'refund'

/** Opens a payment without charging it. The same for every call with this reference; undefined: Stripe has no such amount. */
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

/** The payment is the one that the form opens. With another one a card would be charged for it, or it would be cancelled or refunded. */
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

/** The object in a response; undefined unless Stripe answered 200 with an id of this kind. */
export function objectIn(reply: Reply, kind: string): (Fields & { readonly id: string }) | undefined {
  const body = reply.kind === 'answer' && reply.status === 200 ? reply.body : undefined
  if (!isObject(body) || body.object !== kind) return undefined
  const { id } = body
  return isId(id) ? { ...body, id } : undefined
}

/** It becomes part of a path. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && /^\w{1,255}$/.test(id)
}

export function metadataOf({ metadata }: Fields, name: string): string | undefined {
  const value = isObject(metadata) ? metadata[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Nobody has tried to charge it yet: a confirmation may still be under way. */
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

/** The response to a decline contains the payment. */
export function declineIn(reply: Reply, id: string): Failed | undefined {
  if (reply.kind !== 'answer' || reply.status !== 402) return undefined
  const { error } = isObject(reply.body) ? reply.body : {}
  if (!isObject(error) || error.type !== 'card_error') return undefined
  const { payment_intent: payment } = error
  return isObject(payment) && payment.id !== id ? undefined : declined(error, id)
}

/**
 * Stripe certainly did nothing: the request was wrong, or it did not accept our key. Errors of other types are its own, or nobody
 * has seen them.
 */
export function isRefusal(reply: Reply, statuses: readonly number[] = [400, 401, 403]): boolean {
  const { type, code } = errorIn(reply, statuses)
  return type === 'invalid_request_error' && !OTHERS_HAVE_IT.includes(code)
}

/** Another request uses the object or the key at the moment: what became of an earlier one of ours is open. */
const OTHERS_HAVE_IT: readonly unknown[] = ['lock_timeout', 'idempotency_key_in_use']

/** An earlier request had the same idempotency key and other parameters. */
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

/** The objects of a list, and whether there are more; undefined when it is malformed. */
export function listIn(
  reply: Reply,
): { readonly list: readonly Fields[]; readonly hasMore: boolean } | undefined {
  const body = reply.kind === 'answer' && reply.status === 200 ? reply.body : undefined
  if (!isObject(body) || !Array.isArray(body.data) || typeof body.has_more !== 'boolean') return undefined
  const list = body.data.filter(isObject)
  return list.length === body.data.length ? { list, hasMore: body.has_more } : undefined
}

export const cancelled: Failed = {
  kind: 'failed',
  cause: 'cancelled',
  message: 'Cancelled; nothing was charged',
}

export const refused: Failed = {
  kind: 'failed',
  cause: 'refused',
  message: 'Stripe refused to open the payment',
}

export const unreachable: Failed = {
  kind: 'failed',
  cause: 'unreachable',
  message: 'Stripe could not be reached',
}

export const refundRefused: Failed = {
  kind: 'failed',
  cause: 'declined',
  message: 'Stripe refused the refund',
}

export function unknown(why: string): Unknown {
  return { kind: 'unknown', why }
}

/** Why a response without the expected object tells nothing. */
export function whyUnknown(reply: Reply): Unknown {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const { code, type } = errorIn(reply, [reply.status])
  return unknown(responded('Stripe', reply.status, code ?? type))
}
