// Finds the payment of a reference. Stripe has no query by our reference. So the opening request is sent again, because
// Stripe repeats its first response for the same idempotency key. If there was no earlier request, this request opens a
// payment that is not charged and can be cancelled.
//
// Stripe keeps idempotency keys for a day. An older payment is first searched for in the list of payments, because the
// opening request would open a second payment.
import { timeOf } from '../../../platform/base/id.ts'
import type { AttemptRef, Outcome } from '../../contract/channel.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import { createdFrom, listPages, type StripeApi } from './api.ts'
import {
  isKeyTaken,
  isOpenedBy,
  isRefusal,
  metadataOf,
  ORDER,
  objectIn,
  refused,
  toPayment,
  whyUnknown,
} from './wire.ts'

export type Found = { readonly kind: 'found'; readonly id: string }

type FindOptions = {
  readonly api: StripeApi
  /**
   * The payment types of the settings. The search tries all of them, because nothing records which type opened the
   * payment.
   */
  readonly types: readonly string[]
  readonly now: Date
}

/**
 * The time for which Stripe certainly keeps idempotency keys. It is less than a day, because our clock and Stripe's
 * clock may differ.
 */
const KEYS_KEPT_MS = 23 * 3_600_000
/** The largest difference between Stripe's clock, which dates payments, and ours, which dates references. */
const MAX_SKEW_MS = 3_600_000

export async function findPayment(
  attempt: AttemptRef,
  options: FindOptions,
  signal: AbortSignal,
): Promise<Found | Outcome> {
  const { reference, channelRef } = attempt
  if (channelRef !== undefined) return { kind: 'found', id: channelRef }
  const isYoung = options.now.getTime() - timeOf(reference).getTime() < KEYS_KEPT_MS
  const listed = isYoung ? undefined : await findListed(reference, options, signal)
  return listed ?? findByKey(attempt, options, signal)
}

async function findByKey(
  attempt: AttemptRef,
  options: FindOptions,
  signal: AbortSignal,
): Promise<Found | Outcome> {
  const { api, types } = options
  for (const type of types) {
    const form = toPayment(attempt, type)
    if (form === undefined) return refused
    const reply = await api.post('/payment_intents', { key: attempt.reference, form }, signal)
    const payment = objectIn(reply, 'payment_intent')
    if (payment !== undefined)
      return isOpenedBy(payment, form, attempt.reference)
        ? { kind: 'found', id: payment.id }
        : unknown('Stripe responded about another payment')
    // Only status 400 is a failure. A refusal of our credentials (401, 403) says nothing about earlier requests.
    if (isRefusal(reply, [400])) return refused
    if (!isKeyTaken(reply)) return whyUnknown(reply)
  }
  // An older version of the gateway may have opened the payment with other parameters.
  const listed = await findListed(attempt.reference, options, signal)
  return listed ?? unknown('Stripe has another request under this reference: look in its dashboard')
}

async function findListed(
  reference: string,
  { api, now }: FindOptions,
  signal: AbortSignal,
): Promise<Found | Outcome | undefined> {
  const madeAt = Math.min(timeOf(reference).getTime(), now.getTime() - KEYS_KEPT_MS)
  const since = new Date(madeAt - MAX_SKEW_MS)
  const list = await listPages(api, '/payment_intents', createdFrom(since), signal)
  if ('kind' in list) return list
  const id = list.find((payment) => metadataOf(payment, ORDER) === reference)?.id
  return typeof id === 'string' ? { kind: 'found', id } : undefined
}
