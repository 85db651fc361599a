// The dLocal channels. Our reference is the payment's order_id. dLocal accepts each order_id only once. Payers see
// dLocal's own page (the REDIRECT flow).
//
// dLocal cannot void an order id that it does not know. So the channel opens a placeholder with that order id, a
// payment that no payer sees, and cancels it. The attempt also counts as failed if dLocal refuses the placeholder,
// because no payer has the URL of a page for the order id.
import type { Clock } from '../../../platform/base/clock.ts'
import type {
  AttemptRef,
  Channel,
  Outcome,
  RefundOutcome,
  RefundRequest,
  StartRequest,
} from '../../contract/channel.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { type Method, methods } from '../../methods/methods.ts'
import type { AskedField } from '../../methods/traits.ts'
import { timedBy } from '../../toolkit/deadline.ts'
import { cancelled, unknown } from '../../toolkit/outcomes.ts'
import { notRefundable } from '../../toolkit/refunds.ts'
import type { DlocalApi } from './api.ts'
import { servedAs, servedBy } from './countries.ts'
import { refundPayment } from './refunds.ts'
import {
  fromPayment,
  isAbsent,
  isDuplicate,
  isRefusal,
  paymentIn,
  refused,
  toPayment,
  toPlaceholder,
  unreachable,
} from './wire.ts'

type DlocalChannelOptions = {
  readonly name: string
  readonly api: DlocalApi
  readonly store: ChannelStore
  readonly readCallback: NonNullable<Channel['readCallback']>
  /** The URL for webhooks about refunds. If '', dLocal uses the URL that is set in its dashboard. */
  readonly callbackUrl: string
  readonly timeoutMs: number
  readonly clock: Clock
}

export function createDlocalChannels(options: DlocalChannelOptions) {
  const { name, api, store, readCallback, callbackUrl, timeoutMs, clock } = options
  const timed = timedBy(timeoutMs)
  const query = ({ reference }: { reference: string }, signal: AbortSignal) =>
    api.get(`/orders/${reference}`, signal)

  async function start(request: StartRequest, signal: AbortSignal): Promise<Outcome> {
    const body = toPayment(request)
    if (body === undefined) return { ...refused, isLocal: true }
    const reply = await api.post('/payments', body, signal)
    if (reply.kind === 'unsent') return unreachable
    if (isDuplicate(reply)) return fromPayment(await query(request, signal), request)
    if (isRefusal(reply, [401, 403])) return { ...refused, cause: 'unauthorised' }
    return isRefusal(reply) ? refused : fromPayment(reply, request)
  }

  async function ask(attempt: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await query(attempt, signal)
    if (isAbsent(reply)) return useUp(attempt, signal)
    const outcome = fromPayment(reply, attempt)
    const isWaiting = paymentIn(reply)?.status === 'PENDING'
    // If the outcome is unknown although the payment waits for its payer, the payment is a placeholder, or no payer has
    // the URL of its page. So the payment is cancelled.
    return outcome.kind === 'unknown' && isWaiting ? cancel(attempt, signal) : outcome
  }

  async function askWaiting(attempt: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    return fromPayment(await query(attempt, signal), attempt)
  }

  async function cancel(attempt: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const reply = await query(attempt, signal)
    if (isAbsent(reply)) return useUp(attempt, signal)
    const payment = paymentIn(reply)
    return payment?.status === 'PENDING' && payment.order_id === attempt.reference
      ? cancelPayment(payment.id, attempt, signal)
      : fromPayment(reply, attempt)
  }

  async function cancelPayment(id: string, attempt: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    await api.post(`/payments/${id}/cancel`, '', signal)
    // The payment is queried, because it may have been paid before the cancellation.
    const outcome = fromPayment(await query(attempt, signal), attempt)
    return outcome.kind === 'pending'
      ? unknown('dLocal did not cancel the payment: it may still be paid')
      : outcome
  }

  async function useUp(attempt: AttemptRef, signal: AbortSignal): Promise<Outcome> {
    const body = toPlaceholder(attempt)
    if (body === undefined) return cancelled
    const reply = await api.post('/payments', body, signal)
    const opened = paymentIn(reply)
    if (opened !== undefined) return cancelPayment(opened.id, attempt, signal)
    if (isDuplicate(reply)) return fromPayment(await query(attempt, signal), attempt)
    return isRefusal(reply, [400]) ? cancelled : unknown('dLocal did not close the reference')
  }

  async function refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    const method = servedBy(request.money.currency)?.method
    if (method === undefined || !methods[method].refundable) return notRefundable
    const channelRef = request.channelRef ?? paymentIn(await query(request, signal))?.id
    if (channelRef === undefined) return unknown('dLocal did not return the payment')
    const parts = { api, store, clock, callbackUrl, timeoutMs }
    return refundPayment({ ...request, channelRef }, parts, signal)
  }

  const shared = {
    name,
    start: timed(start),
    /** The payer's browser is not trusted, so its return only triggers a query. */
    complete: timed(ask),
    ask: timed(ask),
    askWaiting: timed(askWaiting),
    cancel: timed(cancel),
    refund: timed(refund),
    readCallback,
  }

  return (method: Method): Channel => {
    const traits = methods[method]
    const terminals = servedAs(method)?.terminals
    return {
      ...shared,
      method,
      traits: {
        ...traits,
        ...(terminals !== undefined && { terminals }),
        asks: withPayer(traits.asks),
        timeoutMs,
      },
    }
  }
}

/** Adds the payer's name and e-mail to the fields that our page asks for, because dLocal requires both. */
function withPayer(asks: readonly AskedField[]): readonly AskedField[] {
  const missing = payer.filter(({ name }) => !asks.some((asked) => asked.name === name))
  return [...asks, ...missing]
}

const payer: readonly AskedField[] = [
  { name: 'name', maxLength: 200, autocomplete: 'name' },
  { name: 'email', maxLength: 255, autocomplete: 'email' },
]
