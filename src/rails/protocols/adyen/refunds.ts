// Refunds. Adyen only accepts a refund at first; a webhook with the refund's own pspReference brings the result, and a later
// one may take it back.
//
// A refund without a response is sent again under its key, as long as Adyen certainly has the key. After that a repetition could
// pay twice, so an operator decides the refund.
//
// A webhook about a refund that we did not make brings an operator (other-refunds.ts).
import type { Clock } from '../../base/clock.ts'
import type { Fields } from '../../base/object.ts'
import type { Alarms } from '../alarms.ts'
import type { RefundOutcome, RefundRequest } from '../contract.ts'
import type { IsPaid } from '../settings.ts'
import type { ChannelStore, RecordBody } from '../store.ts'
import { type AdyenApi, type AdyenReply, isRefusal, isUnauthorised, whyOpen } from './adyen-api.ts'
import { fromAmount, toAmount } from './amounts.ts'
import { openOtherRefunds } from './other-refunds.ts'
import { moneyBody, readMoney } from './payment-records.ts'
import type { Payments } from './payments.ts'
import { FIRST_SENT, KEYS_KEPT_MS, REFUND, RESULT } from './refund-records.ts'
import type { Item } from './webhook.ts'
import { pspOf, unknown } from './wire.ts'

export type RefundsOptions = {
  readonly api: AdyenApi
  readonly store: ChannelStore
  readonly alarms: Alarms
  readonly payments: Payments
  readonly merchantAccount: string
  readonly clock: Clock
  readonly isPaid: IsPaid
}

export type Refunds = {
  refund(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome>
  /** Undefined when the refund is not ours, or when its request was not answered yet. */
  report(item: Item): Promise<{ refundReference: string; outcome: RefundOutcome } | undefined>
}

export const refundEvents: readonly string[] = ['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED']

export function openRefunds(options: RefundsOptions): Refunds {
  const { api, store, payments, merchantAccount, clock } = options
  const others = openOtherRefunds(options)

  /** Later results take earlier ones back, in whatever order they come. */
  async function resultOf(psp: string): Promise<RefundOutcome> {
    const record = await store.find({ kind: RESULT, key: psp })
    return record === undefined ? { kind: 'pending', channelRef: psp } : toOutcome(psp, record.body)
  }

  async function send(request: RefundRequest, signal: AbortSignal): Promise<RefundOutcome> {
    const { reference, refundReference, refund } = request
    const psp = await pspOfPayment(payments, request, signal)
    const amount = toAmount(refund)
    if (amount === undefined) return refused
    if (psp === undefined) return unknown("the payment's pspReference is not known yet")
    const body = { merchantAccount, amount, reference: refundReference }
    const call = { key: refundReference, signal }
    const first = { kind: FIRST_SENT, key: refundReference, reference }
    const at = clock.now().toISOString()
    const sum = moneyBody(refund)
    // Before it is sent, whatever becomes of us.
    const [isFirst] = await store.write([{ add: { ...first, body: { ...sum, at } } }])
    const sentAt = isFirst === true ? undefined : (await store.find(first))?.body.at
    if (sentAt !== undefined && clock.now().getTime() - Date.parse(String(sentAt)) > KEYS_KEPT_MS)
      return unknown(FORGOTTEN)
    const reply = await api.postUntilKnown(`/payments/${psp}/refunds`, body, call)
    // Nothing was done: the next call is the first again.
    if (isFirst === true && isUnsent(reply)) await store.write([{ remove: first }])
    if (isRefusal(reply)) {
      await store.write([{ put: { ...first, body: { ...sum, at: sentAt ?? at, state: 'refused' } } }])
      return refused
    }
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
      const outcome = await (sent === undefined ? send(request, signal) : resultOf(sent.key))
      // A webhook that waited for this response may be about a refund of others.
      for (const about of [request.reference, request.refundReference]) await others.tell(about)
      return outcome
    },
    async report({ event, isSuccess, psp, originalPsp, reference, money }) {
      const isTakenBack = event !== 'REFUND'
      const state = isTakenBack ? 'returned' : isSuccess ? 'succeeded' : 'failed'
      const body = { state, payment: originalPsp, ...(money && moneyBody(money)) }
      const record = { kind: RESULT, key: psp, reference, body }
      await store.write([isTakenBack ? { put: record } : { add: record }])
      const sent = await store.find({ kind: REFUND, key: psp })
      const refundReference = sent?.reference
      if (refundReference !== undefined) return { refundReference, outcome: await resultOf(psp) }
      await others.tell(reference)
      return undefined
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
