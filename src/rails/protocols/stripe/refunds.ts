// Refunds at Stripe. Stripe says `failed` of a refund that it could not send, and of one that the payer's bank sent back after
// it had succeeded. So refunds that succeeded are remembered, and both the query and the callback tell the same.
import type { Fields } from '../../base/object.ts'
import type { RefundOutcome, RefundRequest } from '../contract.ts'
import type { ChannelStore } from '../store.ts'
import { listPages } from './list-pages.ts'
import type { StripeApi } from './stripe-api.ts'
import {
  fromRefund,
  isRefusal,
  metadataOf,
  objectIn,
  REFUND,
  refundRefused,
  toRefund,
  unknown,
  whyUnknown,
} from './wire.ts'

export type Refunds = {
  /** Of the payment with this id. */
  refund(request: RefundRequest, paymentId: string, signal: AbortSignal): Promise<RefundOutcome>
  /** What Stripe's refund says about ours. */
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
    return hadSucceeded ? { kind: 'returned', message: outcome.message } : outcome
  }

  return {
    outcomeOf,
    /** Keys end after a day, and some refunds take longer: an earlier one is looked for first. */
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
      // Wrong credentials are no reason to give up a refund.
      return isRefusal(reply, [400]) ? refundRefused : whyUnknown(reply)
    },
  }
}
