// The worker queries channels about references for which a channel has new information, such as a return in a bank's
// file.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { paidOrder, stateOf } from '../../../test/builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../../test/builders/payouts.ts'
import { accept, anApplication, record, succeeded } from '../../../test/builders/refunds.ts'
import { orderInReview } from '../../../test/builders/reviews.ts'
import { scriptedChannel } from '../../../test/counterparties/scripted-channel.ts'
import { openCallbacks } from '../../../test/harness/callbacks.ts'
import { runOnce } from '../../../test/harness/run-job.ts'
import { findByNumber } from '../../money/refunds/find-refund.ts'
import { refundReference } from '../../money/refunds/refund.ts'
import { claimDue } from '../../money/refunds/sql.ts'
import { rejectReview } from '../../money/reviews/decide-review.ts'
import { returnReference } from '../../money/reviews/review.ts'
import { claimReturns, selectReview } from '../../money/reviews/sql.ts'
import { listHeld } from '../../money/suspense/book-suspense.ts'
import type { Channel, RefundOutcome } from '../../rails/contract/channel.ts'
import type { PayoutOutcome } from '../../rails/contract/payout-outcome.ts'
import { openStore } from '../../rails/toolkit/records/store.ts'
import { askJob } from './ask-worker.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())
afterEach(() => setup.db.query({ text: 'delete from channel_asks' }))

const money = { amount: 1_000n, currency: 'USD' }
const back = { kind: 'returned', message: 'the account is closed', money } as const

function open(says: RefundOutcome & PayoutOutcome = back, meanwhile = async () => {}) {
  const sent: string[] = []
  const card: Channel = {
    ...scriptedChannel('card'),
    async refund({ refundReference: reference }) {
      sent.push(reference)
      await meanwhile()
      return says
    },
  }
  const other: Channel = { ...card, method: 'unionpay', refund: async () => assert.fail('another method') }
  const rail = { ...setup.rail, ask: async () => says }
  const { deps, alarms } = openCallbacks(setup.db, [other, card], [rail])
  const store = (channel: string) => openStore({ db: setup.db, clock: deps.clock }, channel)
  const job = askJob(deps)
  const learned = async (channel: string, reference: string) => {
    await store(channel).write([], [reference])
    await runOnce(job, new Date(Date.now() + 60_000))
  }
  return { learned, alarms, sent, job, store }
}

async function waiting(): Promise<string[]> {
  const rows = await setup.db.query<{ reference: string }>({ text: 'select reference from channel_asks' })
  return rows.map(({ reference }) => reference)
}

test('a refund that came back is found by asking its channel, by the method of its payment', async () => {
  const order = await paidOrder(setup.db, { merNo: 47_100_001 })
  const refund = await accept(setup.db, anApplication(order))
  await record(setup.db, succeeded(refund))
  const { learned, alarms } = open()
  await learned('card', refundReference(refund.refundNo))
  assert.deepEqual(
    { state: await stateOf(setup.db, order), alarms, waiting: await waiting() },
    { state: 5, alarms: [], waiting: [] },
  )
})

test('the return of a rejected payment that came back is found by asking, and one that was not made is not sent', async () => {
  const { db } = setup
  const { merNo, tradeNo, money } = await orderInReview(db, { merNo: 47_100_006, method: 'card' })
  const reference = returnReference(tradeNo, 1)
  await rejectReview(setup, tradeNo, { note: 'No shipment', isReturned: false })
  const done = open({ kind: 'succeeded', money, channelRef: 'r1', railRef: 'r1' })
  await done.learned('card', reference)
  const { learned, alarms, sent } = open({ ...back, money })
  await learned('card', reference)
  assert.deepEqual(
    (await listHeld(db, merNo, 10)).map((row) => row.reference),
    [reference],
  )
  assert.match(alarms.splice(0).join(), /came back and is held as S/)
  assert.deepEqual({ alarms: done.alarms, waiting: await waiting() }, { alarms: [], waiting: [] })
  await learned('other', reference)
  await learned('card', returnReference(tradeNo, 2))
  assert.deepEqual(
    { alarms: alarms.length, sent, waiting: await waiting() },
    { alarms: 2, sent: [reference], waiting: [] },
  )
})

test('a payout that came back is found by asking its rail', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 10_000n)
  const rail = { ...setup.rail, send: async () => succeededPayout }
  const { tradeNo, reference } = await setup.pay(merchant, aPayout(), rail)
  const { learned, alarms } = open()
  await learned(setup.rail.name, reference)
  assert.equal((await setup.stateOf(tradeNo))?.payout, 'returned')
  assert.deepEqual(
    { available: await setup.available(merchant.merNo), alarms },
    { available: 10_000n, alarms: [] },
  )
})

const succeededPayout = {
  kind: 'succeeded',
  money: { amount: 1_000n, currency: 'USD' },
  railRef: 'p1',
} as const

test('a reference of another channel raises an alarm, and is asked about once', async () => {
  const order = await paidOrder(setup.db, { merNo: 47_100_002 })
  const refund = await accept(setup.db, anApplication(order))
  const { learned, alarms } = open()
  await learned('other', refundReference(refund.refundNo))
  assert.deepEqual({ alarms: alarms.length, waiting: await waiting() }, { alarms: 1, waiting: [] })
})

test('without an answer the reference is asked about again', async () => {
  const order = await paidOrder(setup.db, { merNo: 47_100_003 })
  const refund = await accept(setup.db, anApplication(order))
  const { learned } = open({ kind: 'unknown', why: 'no answer' })
  const reference = refundReference(refund.refundNo)
  await learned('card', reference)
  assert.deepEqual(await waiting(), [reference])
})

test('a lease lasts as long as the slowest channel or rail may take, also without channels', () => {
  const leaseWith = (channelMs: number[], railMs: number[]) => {
    const { traits, ...channel } = scriptedChannel('card')
    const channels = channelMs.map((timeoutMs) => ({ ...channel, traits: { ...traits, timeoutMs } }))
    const rails = railMs.map((timeoutMs) => ({ ...setup.rail, timeoutMs }))
    return askJob(openCallbacks(setup.db, channels, rails).deps).leaseMs
  }
  assert.ok(leaseWith([], [30_000]) > 30_000)
  assert.equal(leaseWith([], [30_000]), leaseWith([30_000], [10_000]))
  assert.equal(leaseWith([10_000], [30_000]), leaseWith([30_000], []))
})

test('a reference that stays unknown is asked about after growing pauses, and at once if more is learned', async () => {
  const order = await paidOrder(setup.db, { merNo: 47_100_005 })
  const refund = await accept(setup.db, anApplication(order))
  const reference = refundReference(refund.refundNo)
  const { job, store } = open({ kind: 'unknown', why: 'no answer' })
  const pauseMs = async () => {
    const [row] = await setup.db.query<{ ask_at: Date }>({
      text: 'select ask_at from channel_asks where reference = $1',
      values: [reference],
    })
    return (row?.ask_at.getTime() ?? 0) - Date.now()
  }
  const pauses: number[] = []
  await store('card').write([], [reference])
  for (let round = 0; round < 12; round++) {
    await runOnce(job, new Date(Date.now() + 600_000))
    pauses.push(Math.round((await pauseMs()) / 1_000))
  }
  assert.ok(Math.abs((pauses[3] ?? 0) - 16) <= 2, String(pauses))
  assert.ok(Math.abs((pauses[11] ?? 0) - 300) <= 2, String(pauses))
  await store('card').write([], [reference])
  assert.ok((await pauseMs()) <= 0)
})

test('a failure ends nothing that the worker has claimed since the channel was asked', async () => {
  const { db } = setup
  const order = await paidOrder(db, { merNo: 47_100_007 })
  const refund = await accept(db, anApplication(order))
  const review = await orderInReview(db, { merNo: 47_100_008, method: 'card' })
  await rejectReview(setup, review.tradeNo, { note: 'No shipment', isReturned: false })
  const now = new Date(Date.now() + 3_600_000)
  // The lease has already ended, so that the worker can claim the refund and the return again.
  const claim = { now, leaseUntil: now, limit: 1_000, busy: [] }
  const { learned, alarms, sent } = open({ kind: 'failed', cause: 'refused', message: 'No' }, async () => {
    await claimDue(db, claim)
    await claimReturns(db, claim)
  })
  await learned('card', refundReference(refund.refundNo))
  await learned('card', returnReference(review.tradeNo, 1))
  assert.deepEqual({ sent: sent.length, alarms }, { sent: 2, alarms: [] })
  assert.equal((await findByNumber(db, refund.refundNo))?.state, 'unknown')
  assert.equal((await selectReview(db, review))?.state, 'returning')
})

test('a refund that waits for an operator is not sent by asking about it', async () => {
  const order = await paidOrder(setup.db, { merNo: 47_100_004 })
  const refund = await accept(setup.db, anApplication(order, { terms: { approveRefunds: true } }))
  assert.equal(refund.state, 'waiting')
  const { learned, alarms, sent } = open()
  await learned('card', refundReference(refund.refundNo))
  assert.deepEqual({ sent, alarms: alarms.length }, { sent: [], alarms: 1 })
})
