// Finds the payment of a reference. Stripe cannot be asked by our reference, but it repeats its response to the request that
// opened the payment; if there was none, the same request opens one, which nobody has charged and which can then be cancelled.
//
// Stripe keeps keys for a day. An older reference is looked for in the list first: opening it again would prove nothing.
import { timeOf } from '../../base/id.ts'
import type { AttemptRef, Outcome } from '../contract.ts'
import { createdFrom, listPages } from './list-pages.ts'
import type { StripeApi } from './stripe-api.ts'
import {
  isKeyTaken,
  isOpenedBy,
  isRefusal,
  metadataOf,
  ORDER,
  objectIn,
  refused,
  toPayment,
  unknown,
  whyUnknown,
} from './wire.ts'

export type Found = { readonly kind: 'found'; readonly id: string }

export type FindOptions = {
  readonly api: StripeApi
  /** The payment types of the entry; the one that opened the payment is not known any more. */
  readonly types: readonly string[]
  readonly now: Date
}

/** Less than a day, in case the clocks differ. */
const KEYS_KEPT_MS = 23 * 3_600_000
/** Stripe's clock dates the list and ours the reference: a payment must not seem older than its own reference. */
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
    // With wrong credentials nothing is known about earlier requests.
    if (isRefusal(reply, [400])) return refused
    if (!isKeyTaken(reply)) return whyUnknown(reply)
  }
  // An older version of this program may have opened it with other parameters.
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
