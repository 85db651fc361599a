// Maps payments to dLocal's messages and back. A response that is malformed or about another payment gives `unknown`.

import { isFiat } from '../../../platform/base/currency.ts'
import { formatAmount, type Money, parseDecimal } from '../../../platform/base/money.ts'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import type { AttemptRef, Failed, Outcome, StartRequest, Unknown } from '../../contract/channel.ts'
import { fullNameOf } from '../../routing/known-payer.ts'
import { cancelled, failed, redirectTo, unknown } from '../../toolkit/outcomes.ts'
import type { Reply } from '../../toolkit/transport.ts'
import { servedBy, textOf } from './countries.ts'

/** Returns the request that opens a payment, as JSON. Undefined if dLocal does not serve the currency. */
export function toPayment(request: StartRequest): string | undefined {
  const { reference, money, details, callbackUrl, completeUrl, merchantName } = request
  const served = servedBy(money.currency)
  if (served === undefined) return undefined
  return withAmount(money, {
    country: served.country,
    payment_method_id: served.idOf(details),
    payment_method_flow: 'REDIRECT',
    payer: {
      name: fullNameOf(details),
      email: textOf(details.email) ?? textOf(details.billingEmail),
      document: served.documentOf?.(request),
      user_reference: textOf(details.userId),
    },
    order_id: reference,
    description: merchantName.slice(0, MAX_TEXT),
    notification_url: callbackUrl,
    callback_url: completeUrl,
  })
}

const MAX_TEXT = 100

/**
 * Returns the request that opens a placeholder: a payment that no payer sees. dLocal accepts an order id only once, so
 * no other payment can then have this order id.
 */
export function toPlaceholder({ reference, money: { currency } }: AttemptRef): string | undefined {
  const served = servedBy(currency)
  if (served === undefined) return undefined
  return withAmount(
    { amount: served.usual, currency },
    {
      country: served.country,
      payment_method_id: served.idOf({}),
      payment_method_flow: 'REDIRECT',
      payer: { name: 'Cancelled order', email: 'cancelled@example.com' },
      order_id: reference,
    },
  )
}

/** Returns the payment in a response with status 200. Undefined if the response contains no payment with a valid id. */
export function paymentIn(reply: Reply): (Fields & { readonly id: string }) | undefined {
  const body = reply.kind === 'answer' && reply.status === 200 ? reply.body : undefined
  if (!isObject(body)) return undefined
  const { id } = body
  return typeof id === 'string' && isId(id) ? { ...body, id } : undefined
}

/** True if the id is safe as part of a URL path. */
export function isId(id: string): boolean {
  return /^[\w-]{1,100}$/.test(id)
}

/** The known data of a payment. `money` is undefined if only a webhook named the payment. */
type Known = Pick<AttemptRef, 'reference' | 'action'> & { readonly money?: Money }

export function fromPayment(reply: Reply, attempt: Known): Outcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const payment = paymentIn(reply)
  if (payment === undefined) return unknown(`dLocal responded ${reply.status} without a payment`)
  if (payment.order_id !== attempt.reference) return unknown('dLocal responded about another payment')
  const { id: channelRef, status } = payment
  const failed = failures.get(String(status))
  if (failed !== undefined) return { ...failed, channelRef }
  if (status === 'PAID') return paid(payment, channelRef)
  if (status !== 'PENDING' && status !== 'AUTHORIZED') return unknown("dLocal's payment has no known status")
  // A payment with another amount may be a placeholder that was not cancelled.
  if (!isSame(moneyIn(payment), attempt.money)) return unknown('dLocal asks the payer for another amount')
  const action = redirectTo(payment.redirect_url) ?? attempt.action
  return action === undefined
    ? unknown("dLocal's payment has no page")
    : { kind: 'pending', channelRef, action }
}

function isSame(one: Money | undefined, other: Money | undefined): boolean {
  return one !== undefined && one.amount === other?.amount && one.currency === other.currency
}

function paid(payment: Fields, channelRef: string): Outcome {
  const money = moneyIn(payment)
  return money === undefined
    ? unknown("dLocal's payment has no amount")
    : { kind: 'succeeded', money, channelRef }
}

const failures = new Map<string, Failed>([
  ['REJECTED', failed('declined', "The payer's bank declined the payment")],
  ['CANCELLED', cancelled],
  ['EXPIRED', failed('cancelled', 'The time to pay is over')],
])

export const refused: Failed = failed('refused', 'dLocal refused to open the payment')

export const unreachable: Failed = failed('unreachable', 'dLocal could not be reached')

/** True if dLocal itself refused the request and certainly did not process it. dLocal's own errors have a code. */
export function isRefusal(reply: Reply, statuses: readonly number[] = [400, 401, 403]): boolean {
  return reply.kind === 'answer' && statuses.includes(reply.status) && codeIn(reply) !== undefined
}

const [NOT_FOUND, DUPLICATE] = ['4000', '5009']

export function isAbsent(reply: Reply): boolean {
  return isRefusal(reply, [404]) && codeIn(reply) === NOT_FOUND
}

export function isDuplicate(reply: Reply): boolean {
  return isRefusal(reply, [400]) && codeIn(reply) === DUPLICATE
}

function codeIn(reply: Reply): string | undefined {
  const { code } = reply.kind === 'answer' && isObject(reply.body) ? reply.body : {}
  return typeof code === 'number' || typeof code === 'string' ? String(code) : undefined
}

export function whyUnknown(reply: Reply): Unknown {
  return unknown(reply.kind === 'answer' ? `dLocal responded ${reply.status}` : reply.why)
}

// Amounts are JSON numbers in major units. The gateway writes and parses their decimal text, and never calculates with
// floats.

/** Returns the request as JSON, with the amount as a number. */
export function withAmount({ amount, currency }: Money, fields: Fields): string {
  const rest = JSON.stringify({ currency, ...fields })
  return `{"amount":${formatAmount(amount, currency)},${rest.slice(1)}`
}

/** Returns the money in the fields. Undefined if the money is malformed, or has a fraction of the minor unit. */
export function moneyIn({ amount, currency }: Fields): Money | undefined {
  if (typeof amount !== 'number' || typeof currency !== 'string' || !isFiat(currency)) return undefined
  const minor = parseDecimal(String(amount), currency)
  return minor === undefined ? undefined : { amount: minor, currency }
}
