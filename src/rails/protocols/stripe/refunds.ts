// Refunds. Stripe reports `failed` both for a refund that it could not send and for a successful refund that the
// payer's bank returned. Successes are recorded, so that a later `failed` is recognised as a return. The amount of a
// return is not known: Stripe's refund object has only the amount that was sent.
import type { Fields } from '../../../platform/base/object.ts'
import type { RefundOutcome, RefundRequest } from '../../contract/channel.ts'
import type { ChannelStore } from '../../contract/store.ts'
import { unknown } from '../../toolkit/outcomes.ts'
import { listPages, type StripeApi } from './api.ts'
import {
  fromRefund,
  isRefusal,
  metadataOf,
  objectIn,
  REFUND,
  refundRefused,
  toRefund,
  whyUnknown,
} from './wire.ts'

export type Refunds = {
  /** `paymentId` is Stripe's id of the payment. */
  refund(request: RefundRequest, paymentId: string, signal: AbortSignal): Promise<RefundOutcome>
  /** Returns the outcome of the refund in Stripe's object, and records a success. */
  outcomeOf(refundReference: string, refund: Refund): Promise<RefundOutcome>
}

type Refund = Fields & { readonly id: string }

const SUCCEEDED = 'refund-succeeded'

export function openRefunds(api: StripeApi, store: ChannelStore): Refunds {
  async function outcomeOf(refundReference: string, refund: Refund): Promise<RefundOutcome> {
    const outcome = fromRefund(refund)
    const key = { kind: SUCCEEDED, key: refundReference }
    if (outcome.kind === 'succeeded') await store.write([{ add: { ...key, body: {} } }])
    const hadSucceeded = outcome.kind === 'failed' && (await store.find(key)) !== undefined
    if (!hadSucceeded) return outcome
    return { kind: 'returned', message: outcome.message, money: undefined }
  }

  return {
    outcomeOf,
    /**
     * Searches the payment's refunds for this refund before sending it. The reason: some refunds are retried for longer
     * than the day for which Stripe keeps idempotency keys.
     */
    async refund(request, paymentId, signal) {
      const { refundReference } = request
      const list = await listPages(api, '/refunds', { payment_intent: paymentId }, signal)
      if ('kind' in list) return list
      const earlier = list.find((one) => metadataOf(one, REFUND) === refundReference)
      if (typeof earlier?.id === 'string') return outcomeOf(refundReference, { ...earlier, id: earlier.id })
      const form = toRefund(request, paymentId)
      if (form === undefined) return refundRefused
      const reply = await api.post('/refunds', { key: refundReference, form }, signal)
      const made = objectIn(reply, 'refund')
      if (made !== undefined)
        return metadataOf(made, REFUND) === refundReference
          ? outcomeOf(refundReference, made)
          : unknown('Stripe responded about another refund')
      // A refusal of our credentials (401, 403) gives `unknown`: it does not prove that the refund failed.
      return isRefusal(reply, [400]) ? refundRefused : whyUnknown(reply)
    },
  }
}
