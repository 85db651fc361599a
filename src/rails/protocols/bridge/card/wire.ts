// Maps our types to the card issuer's messages and back. A response that is malformed or about another payment is `unknown`.

import { isFiat } from '../../base/currency.ts'
import { type Fields, isObject } from '../../base/object.ts'
import type {
  CardDetails,
  Failed,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
  Succeeded,
  Unknown,
} from '../contract.ts'
import { theirReason } from '../their-reason.ts'
import type { Reply } from '../transport.ts'
import { holderOf } from './holder.ts'
import { browserOf, toChallenge } from './three-d-secure.ts'

/** In 3-D Secure: a challenge is mandated. */
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

/** Reads a callback; undefined when it names no payment. */
export function fromCallback(body: unknown): { reference: string; outcome: Outcome } | undefined {
  const reference = asFields(body)?.merchantReference
  if (typeof reference !== 'string') return undefined
  return { reference, outcome: fromCharge({ kind: 'answer', status: 200, body }, reference) }
}

/** Reads a charge. */
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
  if (status === 'voided')
    return { kind: 'failed', cause: 'cancelled', message: 'Cancelled; nothing was charged', channelRef: id }
  return unknown("the issuer's response has no known state")
}

/** Unlike other calls, opening a charge can fail for certain: it was never sent, or refused as a whole. */
export function fromAuthorise(reply: Reply, reference: string): Outcome {
  if (reply.kind === 'unsent')
    return { kind: 'failed', cause: 'unreachable', message: 'The card channel could not be reached' }
  const message = 'The card channel refused to open the payment'
  if (isRefusal(reply, 400, 'invalid_request')) return { kind: 'failed', cause: 'refused', message }
  if (isRefusal(reply, 401, 'unauthorised')) return { kind: 'failed', cause: 'unauthorised', message }
  return fromCharge(reply, reference)
}

export function isAbsent(reply: Reply): boolean {
  return isRefusal(reply, 404, 'not_found')
}

export function fromRefund(reply: Reply, refundReference: string): RefundOutcome {
  if (isRefusal(reply, 400, 'invalid_request'))
    return { kind: 'failed', cause: 'refused', message: 'The card channel refused the refund' }
  if (reply.kind !== 'answer') return unknown(reply.why)
  const refund = asFields(reply.body)
  if (reply.status !== 200 || refund === undefined) return unknown(`the issuer responded ${reply.status}`)
  if (refund.refundReference !== refundReference) return unknown('the issuer responded about another refund')
  const { id, status } = refund
  if (typeof id !== 'string' || id === '') return unknown("the issuer's response has no id")
  if (status === 'succeeded') return succeeded(refund, id)
  if (status === 'failed')
    return { kind: 'failed', cause: 'declined', message: reasonOf(refund), channelRef: id }
  if (status === 'processing') return { kind: 'pending', channelRef: id }
  if (status === 'returned')
    return { kind: 'returned', message: reasonOf(refund, 'The money of the refund came back') }
  return unknown("the issuer's response has no known state")
}

/** Reads a callback about a refund; undefined when it names none. */
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

/** Advice that we do not know is no advice. */
function declined(charge: Fields, channelRef: string): Failed {
  const { advice } = charge
  const failed: Failed = { kind: 'failed', cause: 'declined', message: reasonOf(charge), channelRef }
  return advice === 'challenge' || advice === 'never' ? { ...failed, advice } : failed
}

function pending(charge: Fields, channelRef: string): Outcome {
  const action = toChallenge(asFields(charge.challenge) ?? {})
  return action === undefined
    ? unknown("the issuer's response has no challenge")
    : { kind: 'pending', channelRef, action }
}

function isRefusal(reply: Reply, status: number, error: string): boolean {
  return reply.kind === 'answer' && reply.status === status && asFields(reply.body)?.error === error
}

function reasonOf({ reason }: Fields, fallback = 'Declined'): string {
  return theirReason(reason, fallback)
}

function asFields(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined
}

function unknown(why: string): Unknown {
  return { kind: 'unknown', why }
}
