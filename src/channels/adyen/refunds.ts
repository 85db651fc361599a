// Refunds. Adyen only accepts a refund at first; a webhook with the refund's own pspReference brings the result, and a later
// one may take it back.
//
// A refund without a response is sent again under its key, as long as Adyen certainly has the key. After that a repetition could
// pay twice, so an operator decides the refund.
import type { Clock } from '../../base/clock.ts'
import type { Fields } from '../../base/object.ts'
import type { RefundOutcome, RefundRequest } from '../contract.ts'
import type { ChannelStore, RecordBody } from '../store.ts'
import { type AdyenApi, type AdyenReply, isRefusal, isUnauthorised, whyOpen } from './adyen-api.ts'
import { fromAmount, toAmount } from './amounts.ts'
import { moneyBody, readMoney } from './payment-records.ts'
import type { Payments } from './payments.ts'
import type { Item } from './webhook.ts'
import { pspOf, unknown } from './wire.ts'

export type RefundsOptions = {
  readonly api: AdyenApi
  readonly store: ChannelStore
  readonly payments: Payments
  readonly merchantAccount: string
  readonly clock: Clock
}

export type Refunds = {
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome>
  /** Undefined when the refund is not ours, or when its request was not answered yet. */
  report(item: Item): Promise<{ refundReference: string; outcome: RefundOutcome } | undefined>
}

export const refundEvents: readonly string[] = ['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED']

/** Adyen's reference of a refund as key, with ours. */
export const REFUND = 'refund'
const RESULT = 'refund-result'
/** Our reference as key, with the time when the refund may first have reached Adyen. */
const FIRST_SENT = 'refund-sent'
/** Adyen keeps keys for at least seven days; one less, in case the clocks differ. */
const KEYS_KEPT_MS = 6 * 86_400_000

export function openRefunds({ api, store, payments, merchantAccount, clock }: RefundsOptions): Refunds {
  /** Later results take earlier ones back, in whatever order they come. */
  async function resultOf(psp: string): Promise<RefundOutcome> {
    const record = await store.find({ kind: RESULT, key: psp })
    return record === undefined ? { kind: 'pending', channelRef: psp } : toOutcome(psp, record.body)
  }

  async function send(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    const { refundReference, refund } = request
    const psp = await pspOfPayment(payments, request, signal)
    const amount = toAmount(refund)
    if (amount === undefined) return refused
    if (psp === undefined) return unknown("the payment's pspReference is not known yet")
    const body = { merchantAccount, amount, reference: refundReference }
    const call = { key: refundReference, signal }
    const first = { kind: FIRST_SENT, key: refundReference }
    // Before it is sent, whatever becomes of us.
    const [isFirst] = await store.write([{ add: { ...first, body: { at: clock.now().toISOString() } } }])
    const sentAt = isFirst === true ? undefined : (await store.find(first))?.body.at
    if (sentAt !== undefined && clock.now().getTime() - Date.parse(String(sentAt)) > KEYS_KEPT_MS)
      return unknown(FORGOTTEN)
    const reply = await api.postUntilKnown(`/payments/${psp}/refunds`, body, call)
    // Nothing was done: the next call is the first again.
    if (isFirst === true && isUnsent(reply)) await store.write([{ remove: first }])
    if (isRefusal(reply)) return refused
    if (reply.kind !== 'answer' || reply.status !== 201) return unknown(whyOpen(reply))
    if (!isAbout(reply.body, request)) return unknown('Adyen responded about another refund')
    const refundPsp = pspOf(reply.body)
    if (refundPsp === undefined) return unknown("Adyen's response has no pspReference")
    await store.write([{ add: { kind: REFUND, key: refundPsp, reference: refundReference, body: {} } }])
    return resultOf(refundPsp)
  }

  return {
    async refund(request, signal) {
      const [sent] = await store.listOf(REFUND, request.refundReference)
      return sent === undefined ? send(request, signal) : resultOf(sent.key)
    },
    async report({ event, isSuccess, psp, money }) {
      const isTakenBack = event !== 'REFUND'
      const state = isTakenBack ? 'returned' : isSuccess ? 'succeeded' : 'failed'
      const record = { kind: RESULT, key: psp, body: { state, ...(money && moneyBody(money)) } }
      await store.write([isTakenBack ? { put: record } : { add: record }])
      const sent = await store.find({ kind: REFUND, key: psp })
      const refundReference = sent?.reference
      return refundReference === undefined ? undefined : { refundReference, outcome: await resultOf(psp) }
    },
  }
}

const FORGOTTEN =
  "Adyen did not respond to the refund for days, and may have made it: look for it in Adyen's customer area, and decide it by hand"

/** Adyen may leave out what our request said. Under the reference of another refund, its webhook would decide ours. */
function isAbout({ reference, amount }: Fields, { refundReference, refund }: RefundRequest): boolean {
  const money = amount === undefined ? refund : fromAmount(amount)
  const isSame = money?.amount === refund.amount && money.currency === refund.currency
  return isSame && (reference === undefined || reference === refundReference)
}

function isUnsent(reply: AdyenReply): boolean {
  return reply.kind === 'unsent' || isUnauthorised(reply)
}

const refused: RefundOutcome = { kind: 'failed', cause: 'refused', message: 'Adyen refused the refund' }

function toOutcome(psp: string, body: RecordBody): RefundOutcome {
  if (body.state === 'returned') return { kind: 'returned', message: 'The refund came back' }
  if (body.state === 'failed')
    return { kind: 'failed', cause: 'declined', message: 'The refund was declined', channelRef: psp }
  if (body.amount === undefined) return unknown("Adyen's refund has no amount")
  return { kind: 'succeeded', money: readMoney(body), channelRef: psp }
}

/** A payment that waited for its payer may have been stored with our reference instead of Adyen's. */
async function pspOfPayment(
  payments: Payments,
  { reference, channelRef }: RefundRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (channelRef !== undefined && channelRef !== reference) return channelRef
  const transfer = await payments.records.findTransfer(reference)
  if (transfer !== undefined) return transfer.psp
  const decision = await payments.awaitDecision(reference, signal)
  return decision?.kind === 'paid' ? decision.psp : undefined
}
