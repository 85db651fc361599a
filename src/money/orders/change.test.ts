import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOrder } from '../../../test/builders/builders.ts'
import {
  duesAfter,
  entriesOf,
  givesBackLimits,
  notificationOf,
  type PlannedChange,
  planMove,
  stepsOf,
  takesLimits,
} from './change.ts'
import { chargesOf } from './fees.ts'
import type { AttemptedOrder, PaidOrder } from './order.ts'
import { State, type StateNumber } from './order.ts'
import { settle, takeRefund } from './position.ts'
import { statementsOf } from './write-changes.ts'

const at = new Date('2026-11-15T12:00:00Z')
const terms = { ...anOrder().terms, feeBps: 100, marginBps: 500 }

function to(state: StateNumber, order: AttemptedOrder, more: Partial<PlannedChange> = {}): PlannedChange {
  return { order, at, state, message: 'why', ...more }
}

function success(order: AttemptedOrder): PlannedChange {
  return to(State.succeeded, order, { charges: chargesOf(order.money, order.terms) })
}

/** Returns a paid order of 10.00 USD, of which 0.10 was charged as fees and 0.50 withheld as margin. */
function paid(): PaidOrder {
  const order = anOrder({ state: State.succeeded, version: 2, terms })
  const position = {
    ...{ amount: 1000n, currency: 'USD', settleCurrency: 'USD', rate: undefined },
    ...{ margin: 50n, marginHeld: 50n, marginDisputed: 0n, marginReleased: false },
    ...{ remainder: 940n, settled: false, settledSource: 0n },
    ...{ refunded: 0n, chargedBack: 0n, exceptionFees: 0n },
  }
  const money = { fees: 10n, settleAmount: 940n, refundsOpen: 0, chargeback: undefined, position }
  return { ...order, paid: money }
}

const booked = (change: PlannedChange) =>
  entriesOf(change)
    .filter(({ money }) => money.amount > 0n)
    .map(({ step, debit, credit, money }) => [step, debit, credit, money.amount])

test('a success takes its money from where it lies: the rail, the review, or suspense', () => {
  const sources = [
    [State.processing, 'rail:card'],
    [State.informationAsked, 'transit:review'],
    [State.inReview, 'transit:review'],
    [State.cancelled, 'suspense'],
  ] as const
  for (const [state, source] of sources)
    assert.deepEqual(booked(success(anOrder({ state, terms }))), [
      ['payment', source, 'merchant:unsettled', 1000n],
      ['handling-fee', 'merchant:unsettled', 'platform:fees', 10n],
      ['margin', 'merchant:unsettled', 'merchant:margin', 50n],
    ])
})

test('money enters the review account once, and leaves it when it is returned', () => {
  const asked = to(State.informationAsked, anOrder())
  assert.deepEqual(booked(asked), [['review', 'rail:card', 'transit:review', 1000n]])
  assert.deepEqual(booked(to(State.inReview, anOrder({ state: State.informationAsked }))), [])
  const rejected = to(State.failed, anOrder({ state: State.inReview }))
  assert.deepEqual(booked(rejected), [['review-returned', 'transit:review', 'rail:card', 1000n]])
  assert.deepEqual(booked(to(State.failed, anOrder())), [])
})

test('an order that ends unpaid gives its limits back, and only late money takes them again', () => {
  const { processing, failed, cancelled, succeeded, inReview } = State
  const table = [
    [processing, processing, false, false],
    [processing, succeeded, false, false],
    [processing, failed, true, false],
    [processing, cancelled, true, false],
    [inReview, failed, true, false],
    [cancelled, succeeded, false, true],
  ] as const
  for (const [from, state, gives, takes] of table) {
    const change = to(state, anOrder({ state: from }))
    assert.deepEqual(
      { gives: givesBackLimits(change), takes: takesLimits(change) },
      { gives, takes },
      `${from} → ${state}`,
    )
  }
})

test('an order stands in one cell of the daily totals from its decision on', () => {
  const cells = (change: PlannedChange) =>
    stepsOf(change).map(({ cell, sign, settleAmount }) => [cell.state, cell.settled, sign, settleAmount])
  assert.deepEqual(cells(to(State.processing, anOrder())), [])
  assert.deepEqual(cells(to(State.informationAsked, anOrder())), [])
  assert.deepEqual(cells(success(anOrder({ terms }))), [[5, false, 1n, 940n]])
  assert.deepEqual(cells(success(anOrder({ state: State.cancelled, terms }))), [
    [7, false, -1n, 0n],
    [5, false, 1n, 940n],
  ])
  const order = paid()
  const settled = { order, moved: settle(order.paid.position, 'settle'), why: 'Settled', at }
  assert.deepEqual(cells(planMove(settled)), [
    [5, false, -1n, 940n],
    [5, true, 1n, 940n],
  ])
  assert.deepEqual(cells(to(State.succeeded, anOrder({ kind: 'payout' }))), [])
})

test('the state of a paid order follows from its money', () => {
  const order = paid()
  const moved = takeRefund(order.paid.position, 400n, 0n, 'refund')
  const change = planMove({ order, moved, refundsOpen: 1, why: 'Refund accepted', at })
  assert.equal(change.state, State.refunding)
  assert.equal(notificationOf(change), undefined, 'the refund has its own notification')
})

test("settlement and the margin come due by the order's terms at success", () => {
  const [due] = duesAfter(success(anOrder({ terms })))
  assert.deepEqual(due?.dues, {
    settleAt: new Date('2026-11-16T00:00:00Z'),
    marginAt: new Date('2027-05-14T00:00:00Z'),
  })
  const choice = { method: 'sepa', platformLimited: false, terms: { ...terms, settleDays: 3 } }
  const [late] = duesAfter({ ...success(anOrder({ state: State.cancelled, terms })), choice })
  assert.deepEqual(late?.dues.settleAt, new Date('2026-11-18T00:00:00Z'))
  assert.deepEqual(duesAfter(to(State.failed, anOrder())), [])
})

test('merchants are notified when an order ends, and of a review only if they want', () => {
  const events = (change: PlannedChange) => {
    const notification = notificationOf(change)
    return notification && [notification.event, notification.fields.code]
  }
  assert.deepEqual(events(success(anOrder())), ['payment', '0'])
  assert.deepEqual(events(to(State.cancelled, anOrder())), ['payment', '1'])
  assert.deepEqual(events(to(State.failed, anOrder({ kind: 'payout' }))), ['payout', '1'])
  assert.equal(events(to(State.processing, anOrder())), undefined)
  const asked = to(State.informationAsked, anOrder())
  assert.equal(events(asked), undefined)
  assert.deepEqual(events({ ...asked, notifiesReview: true }), ['review', '3'])
})

test('only the end of a payment that needs no review is certainly its first notification', () => {
  for (const needsReview of [false, true])
    assert.equal(notificationOf(success(anOrder({ needsReview })))?.isFirst, !needsReview)
})

test('a batch of successes sends six statements, with only the columns that it sets', () => {
  const attempt = { state: 'succeeded', channelRef: 'c', askAt: undefined } as const
  const changes = [1, 2, 3].map(() => {
    const order = anOrder({ terms })
    return { ...success(order), attempt, received: order.money.amount }
  })
  const statements = statementsOf(changes)
  assert.deepEqual(
    statements.map(({ name }) => name?.replace(/-\d+$/, '')),
    [
      'orders.update',
      'dues.insert',
      'totals.add',
      'ledger.insert-bookings',
      'balances.add',
      'notifications.insert',
    ],
  )
  assert.equal(statements[0]?.values?.length, 18)
})

test('a compact order that its first answer decides needs no rows for its attempt and its history', () => {
  const rows = ['orders.expand', 'orders.update-attempts', 'orders.insert-events']
  const [expand, update, event] = rows
  const rowsOf = (change: PlannedChange) =>
    statementsOf([change]).flatMap(({ name = '' }) => (rows.includes(name) ? [name] : []))
  const order = anOrder({ terms, compact: true })
  const attempt = { state: 'succeeded', channelRef: 'c', askAt: undefined } as const
  const failed = { ...attempt, state: 'failed' } as const
  assert.deepEqual(rowsOf({ ...success(order), attempt }), [])
  assert.deepEqual(rowsOf(to(State.failed, order, { attempt: failed })), [])
  // A change expands a compact order if it leaves the attempt undecided, starts another attempt, or needs the payer or
  // an operator.
  const pending = { ...attempt, state: 'pending', askAt: at } as const
  assert.deepEqual(rowsOf(to(order.state, order, { attempt: pending })), [expand, update])
  const next = { no: 2, channel: 'other', askAt: at }
  assert.deepEqual(rowsOf(to(order.state, order, { attempt: failed, next })), [expand, update])
  const action = { kind: 'redirect', url: 'https://pay.example' } as const
  assert.deepEqual(rowsOf({ ...success(order), attempt: { ...attempt, action } }), rows)
  assert.deepEqual(rowsOf(to(State.informationAsked, order, { attempt })), rows)
  // A movement of a decided order's money does not expand the order. Any other change of the order does.
  const decided = { ...paid(), compact: true }
  const moved = takeRefund(decided.paid.position, 400n, 0n, 'refund')
  assert.deepEqual(rowsOf(planMove({ order: decided, moved, refundsOpen: 1, why: 'w', at })), [event])
  const lost = anOrder({
    terms,
    compact: true,
    state: State.failed,
    attempt: { ...order.attempt, state: 'failed' },
  })
  assert.deepEqual(rowsOf(to(State.failed, lost, { attempt, received: 1n })), [expand, update])
})

test('a change that the transition table does not allow is refused', () => {
  assert.throws(() => statementsOf([to(State.succeeded, anOrder({ state: State.failed }))]), /6 → 5/)
})
