// What counterparties report on their own beside payments: refunds, payouts and disputes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openCallbacks } from '../../test/callbacks.ts'
import { paidOrder, stateOf } from '../../test/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../test/payouts.ts'
import { accept, anApplication } from '../../test/refunds.ts'
import { scriptedChannel } from '../../test/scripted-channel.ts'
import type { CallbackResult, Channel } from '../channels/contract.ts'
import type { PayoutRail } from '../channels/payout/contract.ts'
import { attemptReference } from '../orders/order.ts'
import { findRefund } from '../refunds/find-refund.ts'
import { refundReference } from '../refunds/refund.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

type Reported = Omit<Extract<CallbackResult, { kind: 'accepted' }>, 'kind' | 'answer' | 'reports'>

/** Says what the test tells it to. */
const scripts = new Map<string, Reported>()

function reader(name: string): Pick<Channel, 'readCallback'> {
  return {
    async readCallback() {
      const answer = { status: 200, type: 'text/plain', body: 'ok' }
      return { kind: 'accepted', reports: [], ...scripts.get(name), answer }
    },
  }
}

const channelOf = (name: string): Channel => ({ ...scriptedChannel(name), ...reader(name) })
const railOf = (name: string): PayoutRail => ({ ...setup.rail, name, ...reader(name) })

function open() {
  const rails = [railOf(setup.rail.name), railOf('other-rail')]
  const { post, alarms } = openCallbacks(setup.db, [channelOf('card'), channelOf('other')], rails)
  const says = async (name: string, reported: Reported) => {
    scripts.set(name, reported)
    const { statusCode } = await post(`/callbacks/${name}`, '')
    assert.equal(statusCode, 200)
  }
  return { says, alarms }
}

test('a refund is recorded before the response, once, and only for its own channel', async () => {
  const { says, alarms } = open()
  const order = await paidOrder(setup.db, { merNo: 47_000_001 })
  const refund = await accept(setup.db, anApplication(order))
  const { merNo, refundNo, money } = refund
  const outcome = { kind: 'succeeded', money, channelRef: 'r1' } as const
  const reference = refundReference(refundNo)
  const refunds = [{ refundReference: reference, outcome }]
  const state = async () => (await findRefund(setup.db, { merNo, refundNo }))?.state
  await says('other', { refunds })
  assert.equal(await state(), 'calling')
  assert.equal(alarms.length, 1)
  for (const _ of [1, 2]) await says('card', { refunds })
  assert.deepEqual([await state(), await stateOf(setup.db, order)], ['succeeded', 9])
  const returned = { kind: 'returned', message: 'closed' } as const
  await says('card', { refunds: [{ refundReference: reference, outcome: returned }] })
  assert.deepEqual([await state(), await stateOf(setup.db, order)], ['returned', 5])
  assert.equal(alarms.length, 1)
})

test('references that name nothing of ours raise an alarm, returns of rejected payments do not', async () => {
  const { says, alarms } = open()
  const outcome = { kind: 'failed', cause: 'declined', message: 'no' } as const
  const order = await paidOrder(setup.db, { merNo: 47_000_002 })
  await says('card', { refunds: [{ refundReference: 'nonsense', outcome }] })
  await says('card', { payouts: [{ reference: 'nonsense', outcome }] })
  await says('card', {
    disputes: [{ disputeRef: 'd', reference: 'nonsense', money: order.money, reason: '', at: new Date() }],
  })
  assert.equal(alarms.length, 3)
  await says('card', { refunds: [{ refundReference: `V${order.tradeNo.slice(1)}1`, outcome }] })
  assert.equal(alarms.length, 3)
})

test('a rail without channels reports its own payouts, also when they come back', async () => {
  const { says, alarms } = open()
  const merchant = aPayer()
  await setup.give(merchant.merNo, 10_000n)
  const { tradeNo, reference } = await setup.pay(merchant, aPayout())
  const money = { amount: 1_000n, currency: 'USD' }
  const succeeded = { reference, outcome: { kind: 'succeeded', money, railRef: 'p' } as const }
  await says('other-rail', { payouts: [succeeded] })
  assert.equal((await setup.stateOf(tradeNo))?.payout, 'sending')
  assert.equal(alarms.length, 1)
  await says(setup.rail.name, { payouts: [succeeded, succeeded] })
  assert.equal((await setup.stateOf(tradeNo))?.payout, 'succeeded')
  const returned = { reference, outcome: { kind: 'returned', message: 'closed' } as const }
  await Promise.all([1, 2, 3].map(() => says(setup.rail.name, { payouts: [returned] })))
  assert.equal((await setup.stateOf(tradeNo))?.payout, 'returned')
  assert.equal(await setup.available(merchant.merNo), 10_000n)
  assert.equal(alarms.length, 1)
})

test('a dispute opens its chargeback before the response, only at its own channel', async () => {
  const { says, alarms } = open()
  const order = await paidOrder(setup.db, { merNo: 47_000_003 })
  const dispute = {
    disputeRef: 'd1',
    reference: attemptReference(order.tradeNo, 1),
    money: order.money,
    reason: '13',
    at: new Date(),
  }
  await says('other', { disputes: [dispute] })
  assert.deepEqual([await stateOf(setup.db, order), alarms.length], [5, 1])
  await says('card', { disputes: [dispute, dispute] })
  assert.equal(await stateOf(setup.db, order), 12)
  await says('card', { disputes: [{ ...dispute, stage: 'won', at: new Date(dispute.at.getTime() + 1) }] })
  assert.equal(await stateOf(setup.db, order), 5)
})
