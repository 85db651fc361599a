// Maps our types to the card issuer's messages and back. A response that is malformed or about another payment is
// `unknown`.
import { isFiat } from '../../../../platform/base/currency.ts'
import { type Fields, isObject } from '../../../../platform/base/object.ts'
import type {
  CardDetails,
  Failed,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
  Succeeded,
  Unknown,
} from '../../../contract/channel.ts'
import { theirReason } from '../../../contract/counterparty-texts.ts'
import { fromReturned, NO_RETURNED_AMOUNT } from '../../../contract/returned.ts'
import { cancelled, failed, unknown } from '../../../toolkit/outcomes.ts'
import { browserOf, given, toChallenge } from '../../../toolkit/three-d-secure.ts'
import type { Reply } from '../../../toolkit/transport.ts'
import { isRefusal } from '../replies.ts'

/** The 3-D Secure value that requests a mandatory challenge. */
const MUST_CHALLENGE = '04'

export function toAuthorise(request: StartRequest, card: CardDetails, now: Date): Fields {
  const fields = authorisation(request, card, now)
  return request.challenge === true ? { ...fields, threeDSRequestorChallengeInd: MUST_CHALLENGE } : fields
}

function authorisation(request: StartRequest, card: CardDetails, now: Date): Fields {
  return {
    merchantReference: request.reference,
    amount: request.money.amount.toString(),
    currency: request.money.currency,
    card: {
      number: card.number,
      expiryMonth: card.expiryMonth.padStart(2, '0'),
      expiryYear: card.expiryYear.length === 2 ? `20${card.expiryYear}` : card.expiryYear,
      securityCode: card.securityCode,
    },
    holder: holderOf(request.details),
    browser: browserOf(request.details, now),
    notificationUrl: request.completeUrl,
    callbackUrl: request.callbackUrl,
  }
}

export function toRefund(request: RefundRequest): Fields {
  const { reference: merchantReference, refundReference } = request
  const { amount, currency } = request.refund
  return { merchantReference, refundReference, amount: amount.toString(), currency }
}

/** Reads a callback about a payment. Undefined if the callback names no payment. */
export function fromCallback(body: unknown): { reference: string; outcome: Outcome } | undefined {
  const reference = asFields(body)?.merchantReference
  if (typeof reference !== 'string') return undefined
  return { reference, outcome: fromCharge({ kind: 'answer', status: 200, body }, reference) }
}

export function fromCharge(reply: Reply, reference: string): Outcome {
  if (reply.kind !== 'answer') return unknown(reply.why)
  const charge = asFields(reply.body)
  if (reply.status !== 200 || charge === undefined) return unknown(`the issuer responded ${reply.status}`)
  if (charge.merchantReference !== reference) return unknown('the issuer responded about another payment')
  const { id, status } = charge
  if (typeof id !== 'string' || id === '') return unknown("the issuer's response has no id")
  if (status === 'captured') return succeeded(charge, id)
  if (status === 'challenge') return pending(charge, id)
  if (status === 'declined') return declined(charge, id)
  if (status === 'voided') return { ...cancelled, channelRef: id }
  return unknown("the issuer's response has no known state")
}

/**
 * Reads the reply to `authorise`. If `authorise` was not sent or was refused, the payment has failed. In contrast, an
 * unsent or refused `lookup` or `void` leaves the payment `unknown` (fromCharge).
 */
export function fromAuthorise(reply: Reply, reference: string): Outcome {
  if (reply.kind === 'unsent') return failed('unreachable', 'The card channel could not be reached')
  const message = 'The card channel refused to open the payment'
  if (isRefusal(reply, 400, 'invalid_request')) return failed('refused', message)
  if (isRefusal(reply, 401, 'unauthorised')) return failed('unauthorised', message)
  return fromCharge(reply, reference)
}

export function fromRefund(reply: Reply, refundReference: string): RefundOutcome {
  if (isRefusal(reply, 400, 'invalid_request'))
    return failed('refused', 'The card channel refused the refund')
  if (reply.kind !== 'answer') return unknown(reply.why)
  const refund = asFields(reply.body)
  if (reply.status !== 200 || refund === undefined) return unknown(`the issuer responded ${reply.status}`)
  if (refund.refundReference !== refundReference) return unknown('the issuer responded about another refund')
  const { id, status } = refund
  if (typeof id !== 'string' || id === '') return unknown("the issuer's response has no id")
  if (status === 'succeeded') return succeeded(refund, id)
  if (status === 'failed')
    return { ...failed('declined', theirReason(refund.reason, 'Declined')), channelRef: id }
  if (status === 'processing') return { kind: 'pending', channelRef: id }
  if (status === 'returned')
    return (
      fromReturned(theirReason(refund.reason, 'The money of the refund came back'), refund) ??
      unknown(NO_RETURNED_AMOUNT)
    )
  return unknown("the issuer's response has no known state")
}

/** Reads a callback about a refund. Undefined if the callback names no refund. */
export function fromRefundCallback(
  body: Fields,
): { readonly refundReference: string; readonly outcome: RefundOutcome } | undefined {
  const { refundReference } = body
  if (typeof refundReference !== 'string') return undefined
  return { refundReference, outcome: fromRefund({ kind: 'answer', status: 200, body }, refundReference) }
}

function succeeded(result: Fields, channelRef: string): Succeeded | Unknown {
  const { amount, currency } = result
  const isAmount = typeof amount === 'string' && /^\d{1,18}$/.test(amount)
  if (!isAmount || typeof currency !== 'string' || !isFiat(currency))
    return unknown("the issuer's response has no amount")
  return { kind: 'succeeded', money: { amount: BigInt(amount), currency }, channelRef }
}

/** Returns the failure of a declined charge. Unknown values of `advice` are dropped. */
function declined(charge: Fields, channelRef: string): Failed {
  const { advice } = charge
  const base = { ...failed('declined', theirReason(charge.reason, 'Declined')), channelRef }
  return advice === 'challenge' || advice === 'never' ? { ...base, advice } : base
}

function pending(charge: Fields, channelRef: string): Outcome {
  const action = toChallenge(asFields(charge.challenge) ?? {})
  return action === undefined
    ? unknown("the issuer's response has no challenge")
    : { kind: 'pending', channelRef, action }
}

function asFields(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined
}

/**
 * Returns the card holder and the addresses. Issuers use them to decide on a challenge, and decline fewer payments with
 * them. Missing fields are undefined.
 */
export function holderOf(details: Fields): Fields {
  const { billingFirstName, billingLastName, billingEmail, email } = details
  return {
    name: fullName(billingFirstName, billingLastName),
    email: given(billingEmail) ?? given(email),
    phone: given(details.billingPhone),
    billing: billingOf(details),
    shipping: shippingOf(details),
  }
}

function billingOf(details: Fields): Fields | undefined {
  const country = given(details.billingCountry)
  if (country === undefined) return undefined
  return {
    line1: given(details.billingAddress1),
    line2: given(details.billingAddress2),
    city: given(details.billingCity),
    state: given(details.billingState),
    postalCode: given(details.billingZipCode),
    country,
  }
}

function shippingOf(details: Fields): Fields | undefined {
  const country = given(details.shippingCountry)
  if (country === undefined) return undefined
  return {
    name: fullName(details.shippingFirstName, details.shippingLastName),
    email: given(details.shippingEmail),
    phone: given(details.shippingPhone),
    line1: given(details.shippingAddress1),
    line2: given(details.shippingAddress2),
    city: given(details.shippingCity),
    state: given(details.shippingState),
    postalCode: given(details.shippingZipCode),
    country,
  }
}

function fullName(first: unknown, last: unknown): unknown {
  const [firstName, lastName] = [given(first), given(last)]
  if (firstName === undefined) return lastName
  return lastName === undefined ? firstName : `${firstName} ${lastName}`
}
