// Callbacks of counterparties about refunds, payouts and disputes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertMoneySound, balancesOf, paidOrder, stateOf } from '../../../test/builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../../test/builders/payouts.ts'
import { accept, anApplication } from '../../../test/builders/refunds.ts'
import { orderInReview } from '../../../test/builders/reviews.ts'
import { scriptedChannel } from '../../../test/counterparties/scripted-channel.ts'
import { openCallbacks } from '../../../test/harness/callbacks.ts'
import { attemptReference } from '../../money/orders/order.ts'
import { findRefund } from '../../money/refunds/find-refund.ts'
import { refundReference } from '../../money/refunds/refund.ts'
import { rejectReview } from '../../money/reviews/decide-review.ts'
import { recordReturn } from '../../money/reviews/record-return.ts'
import { returnReference } from '../../money/reviews/review.ts'
import { selectReview } from '../../money/reviews/sql.ts'
import { listHeld } from '../../money/suspense/book-suspense.ts'
import { returnSuspense } from '../../money/suspense/release-suspense.ts'
import type { CallbackResult, Channel, RefundOutcome } from '../../rails/contract/channel.ts'
import type { PayoutRail } from '../../rails/contract/payout-rail.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

type Reported = Omit<Extract<CallbackResult, { kind: 'accepted' }>, 'kind' | 'answer' | 'reports'>

/** The contents of the next callback, by the name of the channel or rail. */
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
  assert.deepEqual(
    { refund: await state(), order: await stateOf(setup.db, order) },
    { refund: 'succeeded', order: 9 },
  )
  const returned = { kind: 'returned', message: 'closed', money } as const
  await says('card', { refunds: [{ refundReference: reference, outcome: returned }] })
  assert.deepEqual(
    { refund: await state(), order: await stateOf(setup.db, order) },
    { refund: 'returned', order: 5 },
  )
  assert.equal(alarms.length, 1)
})

test('references that name nothing of ours raise an alarm, also a return of a payment that was not rejected', async () => {
  const { says, alarms } = open()
  const outcome = { kind: 'failed', cause: 'declined', message: 'no' } as const
  const order = await paidOrder(setup.db, { merNo: 47_000_002 })
  await says('card', { refunds: [{ refundReference: 'nonsense', outcome }] })
  await says('card', { payouts: [{ reference: 'nonsense', outcome }] })
  await says('card', {
    disputes: [{ disputeRef: 'd', reference: 'nonsense', money: order.money, reason: '', at: new Date() }],
  })
  assert.equal(alarms.length, 3)
  // The gateway made neither of these returns, so the books lack any money that left for them.
  await says('card', { refunds: [{ refundReference: returnReference(order.tradeNo, 1), outcome }] })
  await says('card', { refunds: [{ refundReference: `V${'Z'.repeat(26)}1`, outcome }] })
  assert.match(
    alarms.slice(3).join(),
    /^a return that was not made.*: failed: no,channel card reported a return that it does not have/,
  )
})

const DECLINED = { kind: 'failed', cause: 'declined', message: 'no' } as const
const BACK = { kind: 'returned', message: 'the account is closed', money: undefined } as const

/**
 * Makes a rejected payment whose money is being returned. Also returns functions that report and read the outcome of
 * the return.
 */
async function rejectedPayment(merNo: number) {
  const { says, alarms } = open()
  const { db } = setup
  const payment = await orderInReview(db, { merNo })
  const { tradeNo, money } = payment
  const reject = () => rejectReview(setup, tradeNo, { note: 'No shipment', isReturned: false })
  await reject()
  const reference = returnReference(tradeNo, 1)
  return {
    ...{ alarms, payment, reference, reject },
    success: { kind: 'succeeded', money, channelRef: 'r1' } as const,
    saysOfIt: (name: string, outcome: RefundOutcome) =>
      says(name, { refunds: [{ refundReference: reference, outcome }] }),
    review: async () => (await selectReview(db, payment))?.state,
    held: () => listHeld(db, merNo, 10),
  }
}

test('money of a rejected payment that came back is held once, and raises one alarm', async () => {
  const merNo = 47_000_004
  const { alarms, payment, reference, success, saysOfIt, review, held } = await rejectedPayment(merNo)
  for (const _ of [1, 2]) await saysOfIt('card', success)
  assert.deepEqual(
    { review: await review(), order: await stateOf(setup.db, payment), alarms },
    { review: 'rejected', order: 6, alarms: [] },
  )
  await saysOfIt('other', BACK)
  assert.match(alarms.splice(0).join(), /^channel other reported a return that it does not have: returned$/)
  // Records the return without an alarm, like a process that stops before it raises the alarm.
  await recordReturn(setup.db, { merNo, tradeNo: payment.tradeNo, returns: 1, outcome: BACK, at: new Date() })
  for (const _ of [1, 2, 3]) await saysOfIt('card', BACK)
  const [row, ...more] = await held()
  assert.ok(row)
  assert.deepEqual(
    { reference: row.reference, money: row.money, more },
    { reference, money: payment.money, more: [] },
  )
  assert.deepEqual(alarms.splice(0), [
    `the money of a rejected payment came back and is held as ${row.suspenseId}; pay it to the payer in another way, then book it ` +
      `with suspense return. channel card says of return ${reference} of 100.00 EUR: returned: the account is closed`,
  ])
  await saysOfIt('card', { ...BACK, money: { amount: 9_750n, currency: 'EUR' } })
  assert.match(
    alarms.splice(0).join(),
    /came back before as 100\.00 EUR; the channel now reports 97\.50 EUR: nothing more was booked$/,
  )
  assert.deepEqual(await balancesOf(setup.db, merNo), { 'rail:card EUR': -10_000n, 'suspense EUR': 10_000n })
  await assertMoneySound(setup.db)
  await returnSuspense(setup, row.suspenseId)
  for (const late of [BACK, success]) await saysOfIt('card', late)
  assert.deepEqual(
    { balances: await balancesOf(setup.db, merNo), held: await held(), alarms },
    { balances: {}, held: [], alarms: [] },
  )
  assert.deepEqual(
    { review: await review(), order: await stateOf(setup.db, payment) },
    { review: 'rejected', order: 6 },
  )
})

test('money of a rejected payment that comes back in another amount or currency is held as it arrived', async () => {
  let merNo = 47_000_050
  for (const isUnderWay of [true, false])
    for (const money of [
      { amount: 9_000n, currency: 'EUR' },
      { amount: 10_000n, currency: 'USD' },
    ]) {
      const { alarms, payment, success, saysOfIt, review, held } = await rejectedPayment(++merNo)
      if (!isUnderWay) await saysOfIt('card', success)
      for (const _again of [1, 2]) await saysOfIt('card', { ...BACK, money })
      const [row, ...more] = await held()
      assert.deepEqual({ money: row?.money, more }, { money, more: [] })
      assert.match(
        alarms.join(),
        /^the money of a rejected payment came back as \d+\.00 (EUR|USD) and is held as S/,
      )
      // The returned sum differs from the payment, so the review stays rejected and cannot be approved.
      assert.deepEqual(
        { review: await review(), order: await stateOf(setup.db, payment) },
        { review: 'rejected', order: 6 },
      )
    }
  await assertMoneySound(setup.db)
})

test('what a channel reports of a return under way is recorded, and a late success raises an alarm', async () => {
  const merNo = 47_000_005
  const { alarms, reject, success, saysOfIt, review, held } = await rejectedPayment(merNo)
  const inReview = { 'rail:card EUR': -10_000n, 'transit:review EUR': 10_000n }
  await saysOfIt('card', { kind: 'pending', channelRef: 'r1' })
  assert.equal(await review(), 'returning')
  await saysOfIt('card', BACK)
  assert.deepEqual(
    { review: await review(), balances: await balancesOf(setup.db, merNo) },
    { review: 'asked', balances: inReview },
  )
  assert.match(alarms.splice(0).join(), /was not returned: the account is closed/)
  for (const outcome of [BACK, DECLINED]) await saysOfIt('card', outcome)
  assert.deepEqual(alarms, [])
  for (const again of [async () => {}, reject]) {
    await again()
    await saysOfIt('card', success)
    assert.match(
      alarms.splice(0).join(),
      /the opposite is recorded of a return.*no money was moved.* of 100\.00 EUR: succeeded$/,
    )
  }
  assert.deepEqual(
    { balances: await balancesOf(setup.db, merNo), held: await held() },
    { balances: inReview, held: [] },
  )
})

test('a channel that calls a return failed after its success raises an alarm, and no money moves', async () => {
  const merNo = 47_000_006
  const { alarms, success, saysOfIt, review, held } = await rejectedPayment(merNo)
  await saysOfIt('card', success)
  await saysOfIt('card', DECLINED)
  assert.match(
    alarms.join(),
    /the opposite is recorded of a return.*no money was moved.* of 100\.00 EUR: failed: no$/,
  )
  assert.deepEqual(
    { review: await review(), balances: await balancesOf(setup.db, merNo), held: await held() },
    { review: 'rejected', balances: {}, held: [] },
  )
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
  const returned = { reference, outcome: { kind: 'returned', message: 'closed', money } as const }
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
  assert.deepEqual({ state: await stateOf(setup.db, order), alarms: alarms.length }, { state: 5, alarms: 1 })
  await says('card', { disputes: [dispute, dispute] })
  assert.equal(await stateOf(setup.db, order), 12)
  await says('card', { disputes: [{ ...dispute, stage: 'won', at: new Date(dispute.at.getTime() + 1) }] })
  assert.equal(await stateOf(setup.db, order), 5)
})
