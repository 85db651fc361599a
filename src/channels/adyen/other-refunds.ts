// Refunds that somebody made in Adyen's customer area: an operator is called (tell-other-refund.ts).
//
// Adyen does not say whether a webhook has the reference of the refund or that of its payment, and one about a refund of ours may
// come before the response to our request. So none is called foreign while a refund of ours with either reference has no response.
import type { Clock } from '../../base/clock.ts'
import type { Alarms } from '../alarms.ts'
import type { ChannelRecord, ChannelStore } from '../store.ts'
import { tellOtherRefund } from '../tell-other-refund.ts'
import { readMoney } from './payment-records.ts'
import { FIRST_SENT, KEYS_KEPT_MS, REFUND, RESULT } from './refund-records.ts'
import type { Reversals } from './reversals.ts'

export type OtherRefundsOptions = {
  readonly store: ChannelStore
  readonly alarms: Alarms
  readonly reversals: Pick<Reversals, 'isNoted'>
  readonly clock: Clock
}

export type OtherRefunds = {
  /** Raises an alarm about each refund of webhooks with this reference that is not ours. */
  tell(reference: string): Promise<void>
}

export function openOtherRefunds({ store, alarms, reversals, clock }: OtherRefundsOptions): OtherRefunds {
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

  /** After that no response comes any more, and an operator decides the refund. */
  function isAwaited({ body }: ChannelRecord): boolean {
    return clock.now().getTime() - Date.parse(String(body.at)) <= KEYS_KEPT_MS
  }

  async function tellOne(
    reference: string,
    { key: psp, body }: ChannelRecord,
    mayBeOurs: boolean,
  ): Promise<void> {
    const payment = String(body.payment)
    // What Adyen did not reverse, an operator refunds there: it is not in our books.
    if (body.state === 'failed' || (await reversals.isNoted(payment))) return
    const money = body.amount === undefined ? undefined : readMoney(body)
    const cameBack = body.state === 'returned'
    const about = { counterparty: 'Adyen', refund: psp, payment, money, reference, cameBack, mayBeOurs }
    await tellOtherRefund(alarms, about)
  }

  return {
    async tell(reference) {
      const results = await store.listOf(RESULT, reference)
      if (results.length === 0) return
      const lost = await unanswered(reference)
      if (lost.some(isAwaited)) return
      for (const result of results)
        if ((await store.find({ kind: REFUND, key: result.key })) === undefined)
          await tellOne(reference, result, lost.length > 0)
    },
  }
}
