import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { anAttempt, noRates } from '../../../test/builders/builders.ts'
import { paidOrder } from '../../../test/builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, SUCCEEDED, type TestPayouts } from '../../../test/builders/payouts.ts'
import {
  accept,
  anApplication,
  failed,
  record,
  refundTerms,
  succeeded,
} from '../../../test/builders/refunds.ts'
import { orderInReview } from '../../../test/builders/reviews.ts'
import type { RefundOutcome } from '../../rails/contract/channel.ts'
import { openChargeback } from '../chargebacks/open-chargeback.ts'
import type { NewPayment } from '../orders/new-order.ts'
import { attemptReference } from '../orders/order.ts'
import { type Refund, refundReference } from '../refunds/refund.ts'
import { approveReview, rejectReview } from '../reviews/decide-review.ts'
import { recordReturn } from '../reviews/record-return.ts'
import { returnReference } from '../reviews/review.ts'
import { readDone } from './find-movements.ts'
import { reconcile } from './reconcile.ts'
import type { LineType, StatementLine } from './statement-line.ts'

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

const today = () => setup.clock.now().toISOString().slice(0, 10)

function line(type: LineType, reference: string, amount: bigint): StatementLine {
  return { line: 2, type, reference, money: { amount, currency: 'USD' }, fee: 0n, day: today() }
}

async function summaryOf(channel: string, ...lines: StatementLine[]): Promise<string[]> {
  const { differences, matched, booked } = await reconcile(setup, channel, lines)
  assert.equal(booked, 0, 'outgoing money is never booked to suspense')
  return [`matched ${matched}`, ...differences.map(({ kind, type }) => `${type} ${kind}`)]
}

async function refunded(order: NewPayment, amount: bigint, end: typeof succeeded): Promise<Refund> {
  const refund = await accept(setup.db, anApplication(order, { amount }))
  await record(setup.db, end(refund))
  return refund
}

test('refunds and chargebacks are matched by our references', async () => {
  const order = await paidOrder(setup.db, { merNo: 56_000_001 })
  const payment = line('payment', attemptReference(order.tradeNo, 1), 1000n)
  const done = refundReference((await refunded(order, 300n, succeeded)).refundNo)
  const undone = refundReference((await refunded(order, 200n, failed)).refundNo)
  assert.deepEqual(await summaryOf('card', payment, line('refund', done, 300n)), ['matched 2'])
  assert.deepEqual(await summaryOf('card', payment), ['matched 1', 'refund missing there'])
  const wrong = [line('refund', done, 301n), line('refund', undone, 200n)]
  assert.deepEqual(await summaryOf('card', payment, ...wrong), [
    'matched 1',
    'refund differs',
    'refund missing here',
  ])
  const again = line('refund', done, 300n)
  assert.deepEqual(await summaryOf('card', payment, again, again), ['matched 2', 'refund twice'])

  const { feePlans } = refundTerms()
  const deps = { db: setup.db, findMerchant: async () => ({ feePlans, chargebackUrl: '' }) }
  const money = { amount: 700n, currency: 'USD' }
  await openChargeback(deps, order.tradeNo, { money, reason: '4853', at: setup.clock.now() })
  const taken = line('chargeback', attemptReference(order.tradeNo, 1), 700n)
  assert.deepEqual(await summaryOf('card', payment, line('refund', done, 300n), taken), ['matched 3'])
  assert.deepEqual(await summaryOf('card', payment, line('refund', done, 300n)), [
    'matched 2',
    'chargeback missing there',
  ])
})

test('money of rejected payments is matched by the return that succeeded', async () => {
  const { db, clock } = setup
  const attempt = anAttempt(clock.now(), { channel: 'sepa' })
  const { merNo, tradeNo, money } = await orderInReview(db, { merNo: 56_000_002, attempt })
  const payment = { ...line('payment', attemptReference(tradeNo, 1), money.amount), money }
  const back = (returns: number) => ({ ...line('refund', returnReference(tradeNo, returns), 0n), money })
  const rejection = { note: 'No', isReturned: false }
  const end = (returns: number, outcome: RefundOutcome) =>
    recordReturn(db, { merNo, tradeNo, returns, outcome, at: clock.now() })
  await rejectReview({ db, clock }, tradeNo, rejection)
  assert.deepEqual(await summaryOf('sepa', payment, back(1)), ['matched 1', 'refund open here'])
  await end(1, { kind: 'failed', cause: 'declined', message: 'Account closed' })
  assert.deepEqual(await summaryOf('sepa', payment, back(1)), ['matched 1', 'refund missing here'])
  await rejectReview({ db, clock }, tradeNo, rejection)
  await end(2, { kind: 'succeeded', money, channelRef: 'r2' })
  assert.deepEqual(await summaryOf('sepa', payment, back(2)), ['matched 2'])
  assert.deepEqual(await summaryOf('sepa', payment), ['matched 1', 'refund missing there'])
  assert.deepEqual(await summaryOf('sepa', payment, back(2), back(1)), ['matched 2', 'refund missing here'])
})

test('payouts are matched on the statement of their rail', async () => {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 5_000n)
  const { tradeNo, reference } = await setup.pay(merchant, aPayout())
  for (let count = 0; count < 5 && (await setup.stateOf(tradeNo))?.payout !== 'succeeded'; count++) {
    setup.pass(2_000)
    await setup.runWorker()
  }
  assert.deepEqual(await setup.stateOf(tradeNo), SUCCEEDED)
  const channel = setup.rail.name
  assert.deepEqual(await summaryOf(channel, line('payout', reference, 1000n)), ['matched 1'])
  assert.deepEqual(await summaryOf(channel, line('payout', 'P-unknown', 1000n)), [
    'matched 0',
    'payout missing here',
    'payout missing there',
  ])
})

test('a movement is done from the moment of its outcome, and only at its own channel', async () => {
  const { db } = setup
  const merNo = 56_000_004
  const at = (ms: number) => new Date(Date.UTC(2024, 4, 1) + ms)
  const order = await paidOrder(db, { merNo, at: at(0) })
  const refund = await accept(db, anApplication(order, { amount: 300n, at: at(0) }))
  await record(db, { ...succeeded(refund), at: at(10) })
  const { feePlans } = refundTerms()
  const deps = { db, findMerchant: async () => ({ feePlans, chargebackUrl: '' }) }
  await openChargeback(deps, order.tradeNo, { money: undefined, reason: '4853', at: at(20) })
  const rejected = async (isReturned: boolean) => {
    const review = await orderInReview(db, { merNo, attempt: anAttempt(at(0)) })
    await rejectReview({ db, clock: { now: () => at(30) } }, review.tradeNo, { note: 'No', isReturned })
    return review
  }
  const { tradeNo, money } = await rejected(false)
  const outcome = { kind: 'succeeded', money, channelRef: 'back' } as const
  await recordReturn(db, { merNo, tradeNo, returns: 1, outcome, at: at(30) })
  // The first payment is returned outside the gateway. The second is still being returned. The third is approved later.
  await rejected(true)
  await rejected(false)
  const approved = await rejected(false)
  const declined = { kind: 'failed', cause: 'declined', message: 'Account closed' } as const
  await recordReturn(db, { merNo, tradeNo: approved.tradeNo, returns: 1, outcome: declined, at: at(30) })
  await approveReview({ db, clock: { now: () => at(40) }, rates: noRates }, approved.tradeNo)
  const doneIn = (from: number, until: number, channel = 'card') =>
    db.transaction(async (tx) => {
      const found: string[] = []
      for await (const piece of readDone(tx, { channel, from: at(from), until: at(until) }))
        found.push(...piece.filter((one) => one.merNo === merNo).map(({ reference }) => reference))
      return found.sort()
    })
  const moments: readonly (readonly [number, string])[] = [
    [0, attemptReference(order.tradeNo, 1)],
    [10, refundReference(refund.refundNo)],
    [20, attemptReference(order.tradeNo, 1)],
    [30, returnReference(tradeNo, 1)],
  ]
  for (const [ms, reference] of moments) {
    assert.deepEqual(await doneIn(ms, ms + 1), [reference])
    assert.deepEqual(await doneIn(ms - 1, ms), [])
    assert.deepEqual(await doneIn(ms + 1, ms + 2), [])
    assert.deepEqual(await doneIn(ms, ms + 1, 'sepa'), [])
  }
  assert.deepEqual(await doneIn(40, 41), [], 'the payment was done when its money came')
})
