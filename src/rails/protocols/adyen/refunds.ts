// Refunds. Adyen's response only accepts a refund. A webhook with the refund's own pspReference brings the result, and
// a later webhook may report that the refunded money came back. An alarm is raised if a webhook reports a refund that
// the gateway did not make, unless the refund failed, or is of an authorisation that should have been reversed and is
// not in our books.
//
// A refund without a response is retried with the same idempotency key while Adyen certainly keeps the key. A retry
// after that time could pay twice, so the refund is left to an operator.
import type { Clock } from '../../../platform/base/clock.ts'
import type { Fields } from '../../../platform/base/object.ts'
import type { RefundOutcome, RefundRequest } from '../../contract/channel.ts'
import type { IsPaid } from '../../contract/settings.ts'
import type { ChannelRecord, ChannelStore, RecordBody } from '../../contract/store.ts'
import type { Alarms } from '../../toolkit/alarms.ts'
import { failed, unknown } from '../../toolkit/outcomes.ts'
import { moneyBody } from '../../toolkit/records/money.ts'
import { type MayBeOurs, tellOtherRefund } from '../../toolkit/refunds.ts'
import { type AdyenApi, isRefusal, isUnauthorised, whyOpen } from './api.ts'
import { FIRST_SENT, KEYS_KEPT_MS, REFUND, RESULT, readMoney } from './payment-records.ts'
import type { Payments } from './payments.ts'
import type { Item } from './signature.ts'
import { fromAmount, pspOf, toAmount } from './wire.ts'

type RefundsOptions = {
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
  /**
   * Records a webhook about a refund, and returns the refund's outcome. Undefined if the refund is not ours, or if our
   * request has no response yet.
   */
  report(item: Item): Promise<{ refundReference: string; outcome: RefundOutcome } | undefined>
}

export const refundEvents: readonly string[] = ['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED']

export function openRefunds(options: RefundsOptions): Refunds {
  const { api, store, payments, merchantAccount, clock } = options
  const others = openOtherRefunds(options)

  /**
   * Returns the result that the webhooks reported. `returned` outranks the other results, even if its webhook comes
   * first.
   */
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
    // The time is recorded before the request is sent, because Adyen keeps the idempotency key only for some days.
    const [isFirst] = await store.write([{ add: { ...first, body: { ...sum, at } } }])
    const sentAt = isFirst === true ? undefined : (await store.find(first))?.body.at
    if (sentAt !== undefined && clock.now().getTime() - Date.parse(String(sentAt)) > KEYS_KEPT_MS)
      return unknown(FORGOTTEN)
    const reply = await api.postUntilKnown(`/payments/${psp}/refunds`, body, call)
    // If Adyen did not process the first request, its time is removed, and the next request counts as the first.
    if (isFirst === true && (reply.kind === 'unsent' || isUnauthorised(reply)))
      await store.write([{ remove: first }])
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
      // While our refund had no response, alarms about refunds that may be ours were withheld. These alarms are raised
      // now.
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

/**
 * True if the response is about this refund. If a response about another refund were recorded, the webhook of that
 * refund would decide ours.
 */
function isAbout({ reference, amount }: Fields, { refundReference, refund }: RefundRequest): boolean {
  const money = amount === undefined ? refund : fromAmount(amount)
  const isSame = money?.amount === refund.amount && money.currency === refund.currency
  return isSame && (reference === undefined || reference === refundReference)
}

const refused: RefundOutcome = failed('refused', 'Adyen refused the refund')

function toOutcome(psp: string, body: RecordBody): RefundOutcome {
  // The webhook contains the refund's amount, but Adyen does not document how much of it came back.
  if (body.state === 'returned')
    return { kind: 'returned', message: 'The refund came back', money: undefined }
  if (body.state === 'failed')
    return { kind: 'failed', cause: 'declined', message: 'The refund was declined', channelRef: psp }
  const money = body.amount === undefined ? undefined : readMoney(body)
  if (money === undefined) return unknown("Adyen's refund has no amount")
  return { kind: 'succeeded', money, channelRef: psp }
}

/**
 * Returns Adyen's reference of the payment; undefined while it is unknown. The `channelRef` of a payment that waited
 * for its payer may be our own reference.
 */
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

// Refunds that somebody made in Adyen's customer area raise an alarm (src/rails/toolkit/refunds.ts).
//
// Adyen does not document whether the webhook contains the reference of the refund or of its payment, and the webhook
// of our own refund may come before the response to our request. So no alarm is raised while a refund of ours under
// that reference waits for its response. If a response was lost for good, a reported refund of the same amount may be
// ours. For each lost response, at most one reported refund is ours.

type OtherRefunds = {
  /** Raises an alarm for each refund that a webhook reported under this reference and that is not known to be ours. */
  tell(reference: string): Promise<void>
}

function openOtherRefunds(options: RefundsOptions): OtherRefunds {
  const { store, alarms, payments, clock, isPaid } = options

  async function hasNoResponse({ key, body }: ChannelRecord): Promise<boolean> {
    return body.state !== 'refused' && (await store.listOf(REFUND, key)).length === 0
  }

  /** Returns our refunds without a response. `reference` is our reference of a refund or of a payment. */
  async function unanswered(reference: string): Promise<ChannelRecord[]> {
    const own = await store.find({ kind: FIRST_SENT, key: reference })
    const sent = [...(own === undefined ? [] : [own]), ...(await store.listOf(FIRST_SENT, reference))]
    const isOpen = await Promise.all(sent.map(hasNoResponse))
    return sent.filter((_, at) => isOpen[at])
  }

  /**
   * True if the refunded authorisation should have been reversed, and is not in our books. An operator then refunds it
   * at Adyen, because its reversal failed. Such an authorisation is in our books only if the attempt counts as paid and
   * no other authorisation paid the attempt.
   */
  async function isNotKept(psp: string): Promise<boolean> {
    const attempt = await payments.reversals.find(psp)
    if (attempt === undefined) return false
    const decision = await payments.records.find(attempt)
    return decision?.kind === 'paid' || !(await isPaid(attempt))
  }

  /**
   * Returns the refunds that webhooks reported under this reference. Leaves out failed refunds, refunds that Adyen
   * named in a response to us, and refunds of authorisations that are not in our books.
   */
  async function unnamed(reference: string): Promise<ChannelRecord[]> {
    const moved = (await store.listOf(RESULT, reference)).filter(({ body }) => body.state !== 'failed')
    const isOther = await Promise.all(
      moved.map(async ({ key, body }) => {
        const named = await store.find({ kind: REFUND, key })
        return named === undefined && !(await isNotKept(String(body.payment)))
      }),
    )
    return moved.filter((_, at) => isOther[at])
  }

  /**
   * Returns how many of our refunds without a response may be the reported refund, and the other reported refunds that
   * may be one of ours. Webhooks are searched under the payment's reference and under our references of its refunds.
   */
  async function rivalsOf(result: ChannelRecord, lost: readonly ChannelRecord[]): Promise<MayBeOurs> {
    const payment = lost.find((sent) => isSameSum(sent, result))?.reference
    if (payment === undefined) return { lost: 0, others: [] }
    const ours = (await unanswered(payment)).filter((sent) => isSameSum(sent, result))
    const references = [payment, ...ours.map(({ key }) => key)]
    const found = (await Promise.all(references.map(unnamed))).flat()
    const alike = found.filter(
      (one) => isSamePayment(one, result) && ours.some((sent) => isSameSum(sent, one)),
    )
    const others = alike.map(({ key }) => key).filter((psp) => psp !== result.key)
    return { lost: ours.length, others }
  }

  /** True while a retry may still bring a response. After that, an operator decides the refund. */
  function isAwaited({ body }: ChannelRecord): boolean {
    return clock.now().getTime() - Date.parse(String(body.at)) <= KEYS_KEPT_MS
  }

  async function tellOne(
    reference: string,
    result: ChannelRecord,
    lost: readonly ChannelRecord[],
  ): Promise<void> {
    const { key: psp, body } = result
    const payment = String(body.payment)
    const mayBeOurs = await rivalsOf(result, lost)
    const money = body.amount === undefined ? undefined : readMoney(body)
    const cameBack = body.state === 'returned'
    const about = { counterparty: 'Adyen', refund: psp, payment, money, reference, cameBack, mayBeOurs }
    await tellOtherRefund(alarms, about)
  }

  return {
    async tell(reference) {
      const results = await unnamed(reference)
      if (results.length === 0) return
      const lost = await unanswered(reference)
      if (lost.some(isAwaited)) return
      for (const result of results) await tellOne(reference, result, lost)
    },
  }
}

/**
 * True if both refunds may be of the same authorisation: an attempt may have several. If Adyen did not name the
 * authorisation of a refund, the refund may be of any authorisation.
 */
function isSamePayment({ body: one }: ChannelRecord, { body: other }: ChannelRecord): boolean {
  return one.payment === other.payment || one.payment === '' || other.payment === ''
}

/** True if both refunds have the same amount, or if the amount of one is not recorded. */
function isSameSum({ body: one }: ChannelRecord, { body: other }: ChannelRecord): boolean {
  if (one.amount === undefined || other.amount === undefined) return true
  return one.amount === other.amount && one.currency === other.currency
}
