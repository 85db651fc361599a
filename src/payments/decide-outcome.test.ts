import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeId } from '../base/id.ts'
import type { Failed } from '../channels/contract.ts'
import {
  type AttemptState,
  attemptOf,
  attemptReference,
  type Circumstances,
  chargesOf,
  decide,
  mayBecome,
  nextAskMs,
  type OpenOrder,
  State,
} from '../orders/order.ts'
import { notificationOf } from './payment-notification.ts'

test('the transition table: every pair of states, allowed or not', () => {
  const allowed = new Set(
    '1 5,1 6,1 7,1 24,24 25,24 5,24 6,25 5,25 6,25 24,5 10,5 12,10 5,10 9,10 12,9 12,12 5,12 10,12 9,12 11,12 17,17 11,7 5'.split(
      ',',
    ),
  )
  const states = Object.values(State)
  for (const from of states) {
    for (const to of states)
      assert.equal(mayBecome(from, to), allowed.has(`${from} ${to}`), `${from} → ${to}`)
  }
})

test('fees, margin and remainder sum to the amount, whatever the terms', () => {
  const bps = fc.integer({ min: 0, max: 10_000 })
  const minor = fc.bigInt({ min: 0n, max: 10n ** 12n })
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 14n }),
      bps,
      bps,
      minor,
      (amount, feeBps, marginBps, feeFixed) => {
        const terms = {
          feeBps,
          feeFixed,
          marginBps,
          marginDays: 1,
          settleDays: 1,
          settleCurrency: 'USD',
          settleRate: undefined,
        }
        const { handlingFee, processingFee, margin, remainder } = chargesOf(
          { amount, currency: 'USD' },
          terms,
        )
        assert.equal(handlingFee + processingFee + margin + remainder, amount)
      },
    ),
  )
})

test('asking again starts within a second or two, is never more than five minutes apart, then hourly after a day', () => {
  const waits = Array.from({ length: 30 }, (_, asks) => nextAskMs(asks, 0))
  assert.deepEqual(waits.slice(0, 4), [1000, 2000, 4000, 8000])
  assert.equal(Math.max(...waits), 300_000)
  assert.equal(nextAskMs(30, 25 * 3_600_000), 3_600_000)
})

test('a reference tells its attempt, and what is no reference tells none', () => {
  const tradeNo = makeId('T', 10_000_001, new Date())
  for (const attemptNo of [1, 5, 10])
    assert.deepEqual(attemptOf(attemptReference(tradeNo, attemptNo)), { tradeNo, attemptNo })
  for (const other of ['', tradeNo, `${tradeNo}1`, `A${tradeNo.slice(1)}`, `A${tradeNo.slice(1)}0`, 'A1'])
    assert.equal(attemptOf(other), undefined)
})

function anOrder(changes: Partial<OpenOrder> & { readonly no?: number } = {}): OpenOrder {
  const { no = 1, ...rest } = changes
  return {
    merNo: 1,
    tradeNo: 'T',
    merOrderNo: 'M',
    money: { amount: 1000n, currency: 'EUR' },
    state: State.processing,
    version: 1,
    message: '',
    notifyUrl: '',
    method: 'sepa',
    localDay: '2026-11-15',
    usdValue: 0n,
    platformLimited: false,
    timezone: 'UTC',
    terms: {
      feeBps: 0,
      feeFixed: 0n,
      marginBps: 0,
      marginDays: 1,
      settleDays: 1,
      settleCurrency: 'EUR',
      settleRate: undefined,
    },
    maxAttempts: 1,
    needsReview: false,
    received: 0n,
    attempt: { no, channel: 'sepa', state: 'calling', asks: 0, createdAt: new Date() },
    ...rest,
  }
}

test('what a failed attempt leaves of its order, by cause, tries left and what follows', () => {
  const { processing: open, failed, cancelled } = State
  const table: [Failed['cause'], number, Circumstances, number][] = [
    ['declined', 1, {}, failed],
    ['refused', 1, {}, failed],
    ['unreachable', 1, {}, failed],
    ['cancelled', 1, {}, cancelled],
    // On our pages a decline leaves four more tries; running out of time leaves none.
    ['declined', 5, {}, open],
    ['unreachable', 5, {}, open],
    ['cancelled', 5, {}, cancelled],
    ['cancelled', 5, { keepsOrder: true }, open],
    ['cancelled', 1, { keepsOrder: true }, cancelled],
    // Only the channel's own trouble goes on to the next channel.
    ['unreachable', 1, { hasNext: true }, open],
    ['refused', 1, { hasNext: true }, open],
    ['declined', 1, { hasNext: true }, failed],
    ['cancelled', 1, { hasNext: true }, cancelled],
  ]
  for (const [cause, maxAttempts, also, state] of table) {
    const decision = decide(anOrder({ maxAttempts }), { kind: 'failed', cause, message: 'why' }, also)
    assert.equal(decision.attemptState, 'failed')
    assert.equal(decision.orderState, state, `${cause} of ${maxAttempts} ${JSON.stringify(also)}`)
  }
})

test('an attempt that was called off expired if its payer was late, unless the payer called it off', () => {
  const late = { isLate: true }
  const table: [AttemptState, string, Circumstances, string][] = [
    ['pending', 'Void', late, 'Expired: nobody paid in time'],
    ['pending', 'Cancelled by the payer', late, 'Cancelled by the payer'],
    ['pending', 'Void', {}, 'Void'],
    // Nobody waited for the payer: the channel was asked what became of its call.
    ['unknown', 'Void', late, 'Void'],
  ]
  const waiting = (state: AttemptState) => anOrder({ attempt: { ...anOrder().attempt, state } })
  for (const [state, message, also, said] of table) {
    const order = waiting(state)
    assert.equal(decide(order, { kind: 'failed', cause: 'cancelled', message }, also).message, said)
  }
  const declined = decide(waiting('pending'), { kind: 'failed', cause: 'declined', message: 'No' }, late)
  assert.equal(declined.message, 'No')
})

test('the last of several tries decides the order', () => {
  const declined = { kind: 'failed', cause: 'declined', message: 'no' } as const
  assert.equal(decide(anOrder({ maxAttempts: 5, no: 4 }), declined).orderState, State.processing)
  assert.equal(decide(anOrder({ maxAttempts: 5, no: 5 }), declined).orderState, State.failed)
})

test('money that is to be reviewed asks for more information instead of succeeding', () => {
  const order = anOrder({ needsReview: true })
  const paid = decide(order, { kind: 'succeeded', money: order.money, channelRef: 'c' })
  assert.equal(paid.attemptState, 'succeeded')
  assert.equal(paid.orderState, State.informationAsked)
  const action = { kind: 'redirect', url: 'https://bank.example' } as const
  const received = { kind: 'received', channelRef: 'c', deposits: [], action } as const
  assert.equal(decide(order, received, { arrived: 1000n }).orderState, State.informationAsked)
  assert.equal(decide(order, received, { arrived: 999n }).orderState, State.processing)
})

test('only the end of a payment that needs no review is surely the first that is told of it', () => {
  for (const needsReview of [false, true]) {
    const order = anOrder({ needsReview })
    const outcome = { kind: 'succeeded', money: order.money, channelRef: 'c' } as const
    const told = notificationOf({ order, outcome, orderState: State.succeeded, message: '', at: new Date() })
    assert.equal(told.isFirst, !needsReview)
  }
})
