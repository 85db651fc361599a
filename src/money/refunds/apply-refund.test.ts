import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paidOrder } from '../../../test/builders/paid-orders.ts'
import { dollarsOnly, refundTerms } from '../../../test/builders/refunds.ts'
import { scriptedChannel } from '../../../test/counterparties/scripted-channel.ts'
import { useDatabase } from '../../../test/harness/harness.ts'
import { systemClock } from '../../platform/base/clock.ts'
import { Refusal } from '../../platform/errors/catalogue.ts'
import type { Channel } from '../../rails/contract/channel.ts'
import { registerChannels } from '../../rails/routing/routing.ts'
import { applyRefund } from './apply-refund.ts'
import { openRefundBatches } from './batches.ts'

const database = useDatabase()

const refunding = (method: 'card' | 'unionpay', refundable: boolean): Channel => {
  const channel = scriptedChannel('card', method)
  return { ...channel, traits: { ...channel.traits, refundable } }
}

test('whether an order can be refunded depends on its own method, not on another one of the entry', async () => {
  const order = await paidOrder(database.db, { merNo: 47_200_001 })
  const apply = (...channels: Channel[]) =>
    applyRefund(
      {
        db: database.db,
        clock: systemClock,
        channels: registerChannels(channels),
        refundBatches: openRefundBatches({ db: database.db, rates: dollarsOnly }, 100, () => {}),
        poke() {},
      },
      { ...refundTerms(), merNo: order.merNo },
      {
        tradeNo: order.tradeNo,
        merOrderNo: order.merOrderNo,
        amount: '10.00',
        merRefundNo: 'by-method',
        remark: '',
        notifyUrl: '',
        isReplayProof: true,
      },
    )
  await assert.rejects(apply(refunding('unionpay', true), refunding('card', false)), Refusal)
  assert.equal((await apply(refunding('unionpay', false), refunding('card', true))).state, 'calling')
})
