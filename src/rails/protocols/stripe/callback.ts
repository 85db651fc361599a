import type { Fields } from '../../base/object.ts'
import type { Alarms } from '../alarms.ts'
import type { Callback, CallbackResult } from '../contract.ts'
import { tellOtherRefund } from '../tell-other-refund.ts'
import { fromStripeAmount } from './amount.ts'
import { readDispute } from './disputes.ts'
import { tellUnread } from './list-disputes.ts'
import type { Refunds } from './refunds.ts'
import type { StripeApi } from './stripe-api.ts'
import { eventIn, isFromStripe } from './webhook.ts'
import { fromPayment, isId, metadataOf, ORDER, objectIn, REFUND } from './wire.ts'

export type CallbackOptions = {
  readonly api: StripeApi
  readonly refunds: Pick<Refunds, 'outcomeOf'>
  readonly alarms: Alarms
  readonly webhookSecret: string
  readonly now: Date
}

type Reports = Pick<Extract<CallbackResult, { kind: 'accepted' }>, 'reports' | 'refunds' | 'disputes'>

/** An object that Stripe does not return now may be returned later, so the event is refused: Stripe sends it again. */
export async function readStripeCallback(
  callback: Callback,
  options: CallbackOptions,
  signal: AbortSignal,
): Promise<CallbackResult> {
  if (!isFromStripe(callback, options.webhookSecret, options.now))
    return refuse(401, 'the signature is missing, wrong or too old')
  const event = eventIn(callback)
  if (event === undefined) return refuse(400, 'the event is malformed')
  const reports = event.about === 'ignored' ? NOTHING : await readers[event.about](options, event.id, signal)
  if (reports === undefined) return refuse(503, `Stripe did not return the ${event.about}`)
  return { kind: 'accepted', ...reports, answer: { status: 200, type: 'text/plain', body: '' } }
}

type Read = (options: CallbackOptions, id: string, signal: AbortSignal) => Promise<Reports | undefined>

const NOTHING: Reports = { reports: [] }

const readPayment: Read = async ({ api }, id, signal) => {
  const reply = await api.get(`/payment_intents/${id}`, {}, signal)
  const payment = objectIn(reply, 'payment_intent')
  if (payment === undefined) return undefined
  const reference = metadataOf(payment, ORDER)
  if (reference === undefined) return NOTHING
  const outcome = fromPayment(reply, { reference })
  const isDecided = outcome.kind === 'succeeded' || outcome.kind === 'failed'
  return isDecided ? { reports: [{ reference, outcome }] } : NOTHING
}

const readRefund: Read = async (options, id, signal) => {
  const { api, refunds } = options
  const refund = objectIn(await api.get(`/refunds/${id}`, {}, signal), 'refund')
  if (refund === undefined) return undefined
  const refundReference = metadataOf(refund, REFUND)
  if (refundReference === undefined) return readOther(options, refund, signal)
  const outcome = await refunds.outcomeOf(refundReference, refund)
  return { reports: [], refunds: [{ refundReference, outcome }] }
}

/** Ours have our reference: this one was made in the dashboard. */
async function readOther(
  { api, refunds, alarms }: CallbackOptions,
  refund: Fields & { readonly id: string },
  signal: AbortSignal,
): Promise<Reports | undefined> {
  if (!isId(refund.payment_intent)) return NOTHING
  const payment = objectIn(
    await api.get(`/payment_intents/${refund.payment_intent}`, {}, signal),
    'payment_intent',
  )
  if (payment === undefined) return undefined
  const reference = metadataOf(payment, ORDER)
  if (reference === undefined) return NOTHING
  const outcome = await refunds.outcomeOf(refund.id, refund)
  // No money has moved.
  if (outcome.kind === 'pending' || outcome.kind === 'failed') return NOTHING
  await tellOtherRefund(alarms, {
    counterparty: 'Stripe',
    refund: refund.id,
    payment: payment.id,
    money: fromStripeAmount(refund.amount, refund.currency),
    reference,
    cameBack: outcome.kind === 'returned',
  })
  return NOTHING
}

const readOneDispute: Read = async ({ api, alarms }, id, signal) => {
  const query = { expand: ['payment_intent'] }
  const found = objectIn(await api.get(`/disputes/${id}`, query, signal), 'dispute')
  if (found === undefined) return undefined
  const dispute = readDispute(found)
  // Refused for days, Stripe would give up all events of the endpoint. The list reads it again until it can be read.
  if (dispute === undefined) await tellUnread(alarms, found)
  return typeof dispute === 'object' ? { reports: [], disputes: [dispute] } : NOTHING
}

const readers = { payment: readPayment, refund: readRefund, dispute: readOneDispute } as const

function refuse(status: number, why: string): CallbackResult {
  return { kind: 'refused', why, answer: { status, type: 'text/plain', body: why } }
}
