// Stripe's webhook events. The signature proves the sender, but events may come late, twice and in any order. So only
// the kind and the id of the object are taken from an event, and the object is fetched from Stripe.
import { createHmac } from 'node:crypto'
import { type Fields, isObject } from '../../../platform/base/object.ts'
import { isEqualSecret } from '../../../platform/base/secret.ts'
import { parseJson } from '../../../platform/http/client/http-client.ts'
import type { Callback, CallbackResult } from '../../contract/channel.ts'
import type { Alarms } from '../../toolkit/alarms.ts'
import { refuse } from '../../toolkit/outcomes.ts'
import { tellOtherRefund } from '../../toolkit/refunds.ts'
import type { StripeApi } from './api.ts'
import { readDispute, tellUnread } from './disputes.ts'
import type { Refunds } from './refunds.ts'
import { fromPayment, fromStripeAmount, isId, metadataOf, ORDER, objectIn, REFUND } from './wire.ts'

type CallbackOptions = {
  readonly api: StripeApi
  readonly refunds: Pick<Refunds, 'outcomeOf'>
  readonly alarms: Alarms
  readonly webhookSecret: string
  readonly now: Date
}

type Reports = Pick<Extract<CallbackResult, { kind: 'accepted' }>, 'reports' | 'refunds' | 'disputes'>

/**
 * Reads an event. If Stripe does not return the event's object, refuses the event, so that Stripe sends the event
 * again.
 */
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

/**
 * Handles a refund without our reference, which somebody made in Stripe's dashboard. Raises an alarm if money has
 * moved.
 */
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
  // In these cases no money has moved, so no alarm is needed.
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
  // An event with an unreadable dispute is accepted: if it were refused for days, Stripe would disable the endpoint.
  // Polling reads the dispute again (see disputes.ts).
  if (dispute === undefined) await tellUnread(alarms, found)
  return typeof dispute === 'object' ? { reports: [], disputes: [dispute] } : NOTHING
}

const readers = { payment: readPayment, refund: readRefund, dispute: readOneDispute } as const

type StripeEvent = {
  /** The kind of the event's object, or `ignored` if the event decides nothing. */
  readonly about: 'payment' | 'refund' | 'dispute' | 'ignored'
  readonly id: string
}

/** The largest difference between the event's time and ours. An older event may be a replay. */
const TOLERANCE_S = 300

export function isFromStripe({ headers, body }: Callback, secret: string, now: Date): boolean {
  const parts = (headers['stripe-signature'] ?? '').split(',').map((part) => part.split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  const ageS = Math.abs(now.getTime() / 1000 - Number(time))
  if (!/^\d{1,12}$/.test(time) || ageS > TOLERANCE_S) return false
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  // While a secret is being rotated, the header has a signature for each of the two secrets.
  return parts.some(([name, value = '']) => name === 'v1' && isEqualSecret(value, expected))
}

function eventIn({ body }: Callback): StripeEvent | undefined {
  const event = parseJson(body)
  const data = isObject(event) ? event.data : undefined
  const object = isObject(data) ? data.object : undefined
  if (!isObject(event) || typeof event.type !== 'string' || !isObject(object)) return undefined
  const about = aboutOf(event.type)
  if (about === 'ignored') return { about, id: '' }
  const { id } = object
  return isId(id) ? { about, id } : undefined
}

const deciding: readonly string[] = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
]

function aboutOf(type: string): StripeEvent['about'] {
  if (deciding.includes(type)) return 'payment'
  if (/^refund\.(created|updated|failed)$/.test(type)) return 'refund'
  return /^charge\.dispute\.\w+$/.test(type) ? 'dispute' : 'ignored'
}
