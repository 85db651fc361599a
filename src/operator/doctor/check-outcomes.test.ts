import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { aPayment, noRates } from '../../../test/builders/builders.ts'
import { paidOrder } from '../../../test/builders/paid-orders.ts'
import { aPayer, aPayout, openPayouts, type TestPayouts } from '../../../test/builders/payouts.ts'
import { accept, anApplication, record } from '../../../test/builders/refunds.ts'
import { orderInReview } from '../../../test/builders/reviews.ts'
import type { NewPayment } from '../../money/orders/new-order.ts'
import { sweepCalls } from '../../money/orders/open-attempts.ts'
import { acceptPayments } from '../../money/payments/accept-payments.ts'
import { recordOutcomes } from '../../money/payments/record-outcomes.ts'
import { rejectReview } from '../../money/reviews/decide-review.ts'
import type { Outcome, RefundOutcome } from '../../rails/contract/channel.ts'
import type { PayoutOutcome } from '../../rails/contract/payout-outcome.ts'
import { checkOutcomes } from './checks.ts'

const DAY_MS = 86_400_000
const unknown = { kind: 'unknown', why: 'no response' } as const

let setup: TestPayouts
before(async () => {
  setup = await openPayouts()
})
after(() => setup.close())

/** Returns the finding of the check after this many days and milliseconds. `ms` may be negative. */
async function findingAfter(days: number, ms: number) {
  const at = new Date(setup.clock.now().getTime() + days * DAY_MS + ms)
  const { status, found, todo } = await checkOutcomes(setup.db, { now: () => at })
  return { status, found, todo }
}

async function openRefund(outcome: RefundOutcome): Promise<string> {
  const { merNo, refundNo, tradeNo } = await accept(setup.db, anApplication(await paidOrder(setup.db)))
  await record(setup.db, { merNo, refundNo, tradeNo, outcome, at: new Date() })
  return refundNo
}

async function openPayment(outcome: Outcome = unknown): Promise<string> {
  const { merNo, tradeNo } = await accepted()
  const known = { merNo, tradeNo, attemptNo: 1, outcome, at: new Date(), awaitsPayerMinutes: 30 }
  await recordOutcomes({ db: setup.db, rates: noRates }, [known])
  return tradeNo
}

/**
 * Creates a payment whose call was lost. The payment's channel is not set up, so the worker never polls for the
 * outcome.
 */
async function lostPayment(): Promise<string> {
  const { tradeNo } = await accepted()
  await sweepCalls(setup.db, (error) => assert.fail(String(error)))()
  return tradeNo
}

async function accepted(): Promise<NewPayment> {
  const payment = aPayment({})
  await acceptPayments(setup.db, [payment])
  return payment
}

async function openPayout(outcome: PayoutOutcome = unknown): Promise<string> {
  const merchant = aPayer()
  await setup.give(merchant.merNo, 5_000n)
  return (await setup.pay(merchant, aPayout(), { ...setup.rail, send: async () => outcome })).tradeNo
}

async function openReturn(): Promise<string> {
  const { db, clock } = setup
  const { tradeNo } = await orderInReview(db)
  await rejectReview({ db, clock }, tradeNo, { note: 'No such shipment', isReturned: false })
  return tradeNo
}

/** Ends every open payment, refund, payout and return, so that the next one is the oldest. */
async function endAll(): Promise<void> {
  for (const text of [
    `update attempt_rows set state = 'failed', ask_at = null where ask_at is not null`,
    `update refunds set state = 'failed', ask_at = null where ask_at is not null`,
    `update payouts set state = 'failed', ask_at = null where ask_at is not null`,
    `update reviews set state = 'rejected', ask_at = null where ask_at is not null`,
  ])
    await setup.db.query({ text })
}

const pending = { kind: 'pending', channelRef: 'r' } as const
const waiting = { ...pending, action: { kind: 'redirect', url: 'https://wallet.example/1' } } as const
/** The time that the payer of a card payment has, in days. */
const HALF_AN_HOUR = 30 / 1440
const cases = [
  ['payment', 'of unknown outcome', () => openPayment(), 1, 'a day'],
  ['payment', 'that nobody asks about', lostPayment, 1, 'a day'],
  [
    'payment',
    'that does not end with the time of its payer',
    () => openPayment(waiting),
    1 + HALF_AN_HOUR,
    'a day',
  ],
  ['refund', 'of unknown outcome', () => openRefund(unknown), 1, 'a day'],
  ['refund', 'on its way', () => openRefund(pending), 7, '7 days'],
  ['payout', 'without a response', () => openPayout(), 1, 'a day'],
  ['payout', 'on its way', () => openPayout({ kind: 'processing', railRef: 'r' }), 7, '7 days'],
  ['return', 'of a rejected payment', openReturn, 7, '7 days'],
] as const
for (const [kind, what, open, days, long] of cases)
  test(`a ${kind} ${what} is a warning after ${long}, and not before`, async () => {
    await endAll()
    const id = await open()
    assert.equal((await findingAfter(days, -60_000)).status, 'ok')
    const { status, found, todo } = await findingAfter(days, 60_000)
    const inAll = kind === 'return' ? 'every outcome is known' : '1 unknown'
    assert.deepEqual(
      { status, found },
      { status: 'warn', found: `${inAll}; the channel has not said for ${long} how ${kind} ${id} ended` },
    )
    assert.match(todo ?? '', kind === 'return' ? /review list/ : /outcome list/)
  })

test('of several the oldest is named, and the others are counted', async () => {
  await endAll()
  const first = await openPayment()
  await openRefund(unknown)
  const { found } = await findingAfter(9, 60_000)
  assert.equal(found, `2 unknown; the channel has not said for 9 days how payment ${first} ended, and 1 more`)
})
