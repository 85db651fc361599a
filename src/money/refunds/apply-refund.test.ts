import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cloneDatabase, type TestDatabase } from '../../test/harness.ts'
import { paidOrder } from '../../test/paid-orders.ts'
import { dollarsOnly, refundTerms } from '../../test/refunds.ts'
import { scriptedChannel } from '../../test/scripted-channel.ts'
import { systemClock } from '../base/clock.ts'
import type { Channel } from '../channels/contract.ts'
import { registerChannels } from '../channels/routing.ts'
import { Refusal } from '../errors/catalogue.ts'
import { applyRefund } from './apply-refund.ts'
import { openRefundBatches } from './batches.ts'

let database: TestDatabase
before(async () => {
  database = await cloneDatabase()
})
after(() => database.drop())

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
