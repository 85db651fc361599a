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
  async function isOpen({ key, body }: ChannelRecord): Promise<boolean> {
    const isForgotten = clock.now().getTime() - Date.parse(String(body.at)) > KEYS_KEPT_MS
    if (isForgotten || body.state === 'refused') return false
    return (await store.listOf(REFUND, key)).length === 0
  }

  async function isAwaited(reference: string): Promise<boolean> {
    const own = await store.find({ kind: FIRST_SENT, key: reference })
    const ofPayment = await store.listOf(FIRST_SENT, reference)
    const open = await Promise.all([...(own === undefined ? [] : [own]), ...ofPayment].map(isOpen))
    return open.includes(true)
  }

  async function tellOne(reference: string, { key: psp, body }: ChannelRecord): Promise<void> {
    const payment = String(body.payment)
    // What Adyen did not reverse, an operator refunds there: it is not in our books.
    if (body.state === 'failed' || (await reversals.isNoted(payment))) return
    const money = body.amount === undefined ? undefined : readMoney(body)
    const cameBack = body.state === 'returned'
    await tellOtherRefund(alarms, { counterparty: 'Adyen', refund: psp, payment, money, reference, cameBack })
  }

  return {
    async tell(reference) {
      const results = await store.listOf(RESULT, reference)
      if (results.length === 0 || (await isAwaited(reference))) return
      for (const result of results)
        if ((await store.find({ kind: REFUND, key: result.key })) === undefined)
          await tellOne(reference, result)
    },
  }
}
