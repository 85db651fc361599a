// The Stripe channels. A payment is first opened without the payer's data, with our reference as the idempotency key,
// and then confirmed with these data, such as the card. Stripe charges a payment at most once, even after Stripe has
// forgotten the key. `ask` and `cancel` need no card: both find the payment (find-payment.ts). `ask` also cancels a
// payment that nobody confirmed.
import type { Clock } from '../../../platform/base/clock.ts'
import type {
  AttemptRef,
  Channel,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../../contract/channel.ts'
import type { ChannelTools } from '../../contract/settings.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { type Method, methods } from '../../methods/methods.ts'
import type { Alarms } from '../../toolkit/alarms.ts'
import { timedBy } from '../../toolkit/deadline.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import { notRefundable } from '../../toolkit/refunds.ts'
import type { Reply } from '../../toolkit/transport.ts'
import type { StripeApi } from './api.ts'
import { readStripeCallback } from './callback.ts'
import { createDisputeList } from './disputes.ts'
import { findPayment } from './find-payment.ts'
import { actionOf, type StripeMethod, toConfirmation } from './payment-methods.ts'
import { openRefunds } from './refunds.ts'
import {
  declineIn,
  fromPayment,
  isKeyTaken,
  isOpenedBy,
  isRefusal,
  isUnconfirmed,
  metadataOf,
  ORDER,
  objectIn,
  refused,
  toPayment,
  unreachable,
  whyUnknown,
} from './wire.ts'

type StripeChannelOptions = {
  readonly name: string
  readonly api: StripeApi
  readonly store: ChannelStore
  readonly alarms: Alarms
  readonly log: ChannelTools['log']
  readonly webhookSecret: string
  /** The payment types of all methods in the settings, under Stripe's names. */
  readonly types: readonly string[]
  readonly timeoutMs: number
  readonly clock: Clock
}

type Shared = Omit<Channel, 'method' | 'traits' | 'start'>

export function createStripeChannels(options: StripeChannelOptions) {
  const { name, api, store, alarms, log, webhookSecret, types, timeoutMs, clock } = options
  const refunds = openRefunds(api, store)
  const timed = timedBy(timeoutMs)
  const read = (id: string, signal: AbortSignal) => api.get(`/payment_intents/${id}`, {}, signal)
  const find = (attempt: AttemptRef, signal: AbortSignal) =>
    findPayment(attempt, { api, types, now: clock.now() }, signal)

  async function start(method: StripeMethod, request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const form = toPayment(request, method.type)
    if (form === undefined) return { ...refused, isLocal: true }
    const reply = await api.post('/payment_intents', { key: request.reference, form }, signal)
    if (reply.kind === 'unsent') return unreachable
    if (isKeyTaken(reply)) return ask(request, signal)
    if (isRefusal(reply, [401, 403])) return { ...refused, cause: 'unauthorised' }
    if (isRefusal(reply)) return refused
    const payment = objectIn(reply, 'payment_intent')
    if (payment === undefined) return whyUnknown(reply)
    if (!isOpenedBy(payment, form, request.reference))
      return unknown('Stripe responded about another payment')
    return confirm(method, request, payment.id, signal)
  }

  async function confirm(
    method: StripeMethod,
    request: StartRequest,
    id: string,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const key = `${request.reference}-confirm`
    const form = toConfirmation(request, method)
    const reply = await api.post(`/payment_intents/${id}/confirm`, { key, form }, signal)
    if (reply.kind === 'unsent') return unreachable
    if (isRefusal(reply) || isKeyTaken(reply)) return afterRefusal(request, id, signal)
    return declineIn(reply, id) ?? fromPayment(reply, request)
  }

  /**
   * Returns the outcome after Stripe refused the confirmation. An earlier call may have decided the payment. If nobody
   * has confirmed the payment, it is cancelled, so that another channel may take the order.
   */
  async function afterRefusal(request: StartRequest, id: string, signal: AbortSignal): Promise<Outcome> {
    const reply = await read(id, signal)
    if (!isOpen(reply)) return fromPayment(reply, request)
    const outcome = await cancelPayment(id, request, signal)
    const isCancelled = outcome.kind === 'failed' && outcome.cause === 'cancelled'
    return isCancelled ? { ...refused, channelRef: id } : outcome
  }

  async function ask(attempt: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const found = await find(attempt, signal)
    if (found.kind !== 'found') return found
    const reply = await read(found.id, signal)
    const mustEnd = isOpen(reply) || isStuck(reply, attempt)
    return mustEnd ? cancelPayment(found.id, attempt, signal) : fromPayment(reply, attempt)
  }

  async function cancel(attempt: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const found = await find(attempt, signal)
    return found.kind === 'found' ? cancelPayment(found.id, attempt, signal) : found
  }

  /** Cancels the payment. If Stripe refuses, because the payment is decided or being processed, reads the payment. */
  async function cancelPayment(id: string, attempt: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await api.post(`/payment_intents/${id}/cancel`, { form: {} }, signal)
    const outcome = fromPayment(isRefusal(reply) ? await read(id, signal) : reply, attempt)
    return outcome.kind === 'pending'
      ? unknown('Stripe did not cancel the payment: it may still be paid')
      : outcome
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    const found = await find(request, signal)
    if (found.kind === 'failed') return found
    if (found.kind !== 'found') return unknown('Stripe did not return the payment')
    return refunds.refund(request, found.id, signal)
  }

  const shared: Shared = {
    name,
    /** The parameters that the payer's browser brings are not trusted: the browser's return only triggers a query. */
    complete: timed(ask),
    ask: timed(ask),
    cancel: timed(cancel),
    refund: timed(refund),
    readCallback: timed((callback, signal) =>
      readStripeCallback(callback, { api, refunds, alarms, webhookSecret, now: clock.now() }, signal),
    ),
    disputes: createDisputeList({ name, api, store, alarms, log, clock, timeoutMs }),
  }

  return (method: Method, stripeMethod: StripeMethod): Channel => {
    const { terminals } = stripeMethod
    return {
      ...shared,
      ...(!methods[method].refundable && { refund: async () => notRefundable }),
      method,
      traits: { ...methods[method], ...(terminals !== undefined && { terminals }), timeoutMs },
      start: timed((request, signal) => start(stripeMethod, request, signal)),
    }
  }
}

function isOpen(reply: Reply): boolean {
  const payment = objectIn(reply, 'payment_intent')
  return payment !== undefined && isUnconfirmed(payment)
}

/** True if the payment waits for an action of the payer that our pages cannot show. */
function isStuck(reply: Reply, attempt: AttemptRef): boolean {
  const payment = objectIn(reply, 'payment_intent')
  const isWaiting = payment?.status === 'requires_action' && metadataOf(payment, ORDER) === attempt.reference
  return isWaiting && (actionOf(payment) ?? attempt.action) === undefined
}
