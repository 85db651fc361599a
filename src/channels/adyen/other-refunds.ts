// Refunds that somebody made in Adyen's customer area: an operator is called (tell-other-refund.ts).
//
// Adyen does not say whether a webhook has the reference of the refund or that of its payment, and one about a refund of ours may
// come before the response to our request. So none is called foreign while a refund of ours with either reference has no response.
// If a response is never to come, refunds of the same amount may be ours, but no more of them than responses were lost.
import type { Clock } from '../../base/clock.ts'
import type { Alarms } from '../alarms.ts'
import type { IsPaid } from '../settings.ts'
import type { ChannelRecord, ChannelStore } from '../store.ts'
import { type MayBeOurs, tellOtherRefund } from '../tell-other-refund.ts'
import { readMoney } from './payment-records.ts'
import type { Payments } from './payments.ts'
import { FIRST_SENT, KEYS_KEPT_MS, REFUND, RESULT } from './refund-records.ts'

export type OtherRefundsOptions = {
  readonly store: ChannelStore
  readonly alarms: Alarms
  readonly payments: Pick<Payments, 'records' | 'reversals'>
  readonly clock: Clock
  readonly isPaid: IsPaid
}

export type OtherRefunds = {
  /** Raises an alarm about each refund of webhooks with this reference that is not ours. */
  tell(reference: string): Promise<void>
}

export function openOtherRefunds(options: OtherRefundsOptions): OtherRefunds {
  const { store, alarms, payments, clock, isPaid } = options

  async function hasNoResponse({ key, body }: ChannelRecord): Promise<boolean> {
    return body.state !== 'refused' && (await store.listOf(REFUND, key)).length === 0
  }

  /** Refunds of ours that this reference may mean and that have no response. */
  async function unanswered(reference: string): Promise<ChannelRecord[]> {
    const own = await store.find({ kind: FIRST_SENT, key: reference })
    const sent = [...(own === undefined ? [] : [own]), ...(await store.listOf(FIRST_SENT, reference))]
    const isOpen = await Promise.all(sent.map(hasNoResponse))
    return sent.filter((_, at) => isOpen[at])
  }

  /**
   * What Adyen did not reverse, an operator refunds there: it is not in our books, unless nothing else paid the attempt and it
   * counts as paid all the same.
   */
  async function isNotKept(psp: string): Promise<boolean> {
    const attempt = await payments.reversals.find(psp)
    if (attempt === undefined) return false
    const decision = await payments.records.find(attempt)
    return decision?.kind === 'paid' || !(await isPaid(attempt))
  }

  /** Refunds of webhooks with this reference that moved money of our books, and that no response to ours named. */
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

  /** Whether it may be one of `lost`, and which others may be, under any reference that a refund of the payment may have. */
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

  /** After that no response comes any more, and an operator decides the refund. */
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

/** An attempt may have several authorisations, and a refund is of one of them. None is excluded whose payment Adyen did not name. */
function isSamePayment({ body: one }: ChannelRecord, { body: other }: ChannelRecord): boolean {
  return one.payment === other.payment || one.payment === '' || other.payment === ''
}

/** Nor is one excluded whose amount we did not record, or cannot read. */
function isSameSum({ body: one }: ChannelRecord, { body: other }: ChannelRecord): boolean {
  if (one.amount === undefined || other.amount === undefined) return true
  return one.amount === other.amount && one.currency === other.currency
}
