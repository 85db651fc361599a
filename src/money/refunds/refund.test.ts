import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import type { RefundOutcome } from '../../rails/contract/channel.ts'
import {
  type Application,
  decideRefund,
  findEarlier,
  isDecided,
  mayFollow,
  nextCallMs,
  type Refund,
  type RefundState,
  refundReference,
  refundStates,
} from './refund.ts'

const now = new Date('2026-11-15T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

function aRefund(changes: Partial<Refund> = {}): Refund {
  return {
    merNo: 1,
    refundNo: 'R1',
    tradeNo: 'T1',
    merOrderNo: 'order-1',
    merRefundNo: undefined,
    money: { amount: 500n, currency: 'USD' },
    fee: 0n,
    remark: '',
    notifyUrl: '',
    payment: { channel: 'card', attemptNo: 1, channelRef: undefined, amount: 1000n },
    askedBy: undefined,
    state: 'calling',
    version: 1,
    message: '',
    createdAt: minutesAgo(1),
    asks: 1,
    returnedAmount: undefined,
    ...changes,
  }
}

function anApplication(changes: Partial<Application> = {}): Application {
  const { tradeNo, merOrderNo, money, remark, notifyUrl } = aRefund()
  const terms = { merNo: 1, feePlans: new Map(), refundCredit: 0n, approveRefunds: false }
  const given = { tradeNo, merOrderNo, money, remark, notifyUrl, terms, isReplayProof: true }
  return { ...given, refundNo: 'R2', merRefundNo: undefined, refundable: true, at: now, ...changes }
}

test('the transition table allows these transitions only', () => {
  const allowed = refundStates.flatMap((from) =>
    refundStates.filter((to) => mayFollow(from, to)).map((to) => `${from} → ${to}`),
  )
  assert.deepEqual(allowed, [
    'waiting → calling',
    'waiting → failed',
    'calling → pending',
    'calling → unknown',
    'calling → succeeded',
    'calling → failed',
    'calling → returned',
    'pending → unknown',
    'pending → succeeded',
    'pending → failed',
    'pending → returned',
    'unknown → pending',
    'unknown → succeeded',
    'unknown → failed',
    'unknown → returned',
    'succeeded → returned',
  ])
})

const outcomes: Readonly<Record<RefundOutcome['kind'], RefundOutcome>> = {
  succeeded: { kind: 'succeeded', money: { amount: 500n, currency: 'USD' }, channelRef: 're_1' },
  failed: { kind: 'failed', cause: 'declined', message: 'The bank said no' },
  pending: { kind: 'pending', channelRef: 're_1' },
  returned: { kind: 'returned', message: 'The account is closed', money: { amount: 500n, currency: 'USD' } },
  unknown: { kind: 'unknown', why: 'time-out' },
}

test('every outcome leads an open refund to an allowed state', () => {
  const open: readonly RefundState[] = ['calling', 'pending', 'unknown']
  for (const state of open)
    for (const outcome of Object.values(outcomes)) {
      const decision = decideRefund(aRefund({ state }), outcome)
      assert.ok(decision.state === state || mayFollow(state, decision.state), `${state} ${outcome.kind}`)
      assert.equal(isDecided(decision.state), outcome.kind !== 'pending' && outcome.kind !== 'unknown')
    }
})

test('a refund that the channel has accepted stays pending when the channel does not answer', () => {
  assert.equal(decideRefund(aRefund({ state: 'pending' }), outcomes.unknown).state, 'pending')
})

test("the alarm about a contradiction quotes the channel's reason, if it gave one", () => {
  const alarmOf = (state: RefundState, outcome: RefundOutcome) =>
    decideRefund(aRefund({ state }), outcome).alarm
  const declined = { kind: 'failed', cause: 'declined', message: 'Account closed' } as const
  assert.equal(
    alarmOf('succeeded', declined),
    'refund was succeeded, the channel now says failed: Account closed',
  )
  const { money } = aRefund()
  const success = { kind: 'succeeded', money, channelRef: 'r1' } as const
  assert.equal(alarmOf('failed', success), 'refund was failed, the channel now says succeeded')
})

test('a decided refund changes only by its return; a contradiction raises an alarm, a repetition does not', () => {
  const contradictions = ['succeeded failed', 'failed succeeded']
  for (const state of ['succeeded', 'failed', 'returned'] as const)
    for (const outcome of Object.values(outcomes)) {
      const decision = decideRefund(aRefund({ state }), outcome)
      const both = `${state} ${outcome.kind}`
      assert.equal(decision.state, both === 'succeeded returned' ? 'returned' : state)
      assert.equal(decision.alarm !== undefined, contradictions.includes(both), both)
    }
})

test('an echo of another amount or currency is no success', () => {
  for (const money of [
    { amount: 499n, currency: 'USD' },
    { amount: 500n, currency: 'EUR' },
  ]) {
    const decision = decideRefund(aRefund(), { kind: 'succeeded', money, channelRef: 're_1' })
    assert.equal(decision.state, 'unknown')
    assert.match(decision.alarm ?? '', /another amount or currency/)
  }
})

describe('a repeated application', () => {
  const resultOf = (application: Application, ...known: Refund[]) => {
    const found = findEarlier(application, known)
    return (
      found?.refusal?.code ?? (found !== undefined && 'refund' in found ? found.refund.refundNo : 'nothing')
    )
  }

  it("is the same refund under the same merchant's number, decided or not, however old", () => {
    const named = anApplication({ merRefundNo: 'back-1' })
    for (const state of refundStates)
      assert.equal(
        resultOf(named, aRefund({ merRefundNo: 'back-1', state, createdAt: minutesAgo(9000) })),
        'R1',
      )
  })

  it('is refused under the same number when any part of its content differs', () => {
    const known = aRefund({ merRefundNo: 'back-1' })
    for (const change of [
      { tradeNo: 'T2' },
      { money: { amount: 499n, currency: 'USD' } },
      { remark: 'more' },
      { notifyUrl: 'https://shop.example/other' },
    ])
      assert.equal(resultOf(anApplication({ merRefundNo: 'back-1', ...change }), known), '10009')
  })

  it('without a number is refused within ten minutes, and as long as the first is open', () => {
    const again = (state: RefundState, minutes: number) =>
      resultOf(anApplication(), aRefund({ state, createdAt: minutesAgo(minutes) }))
    assert.equal(again('succeeded', 9.99), '10003')
    assert.equal(again('failed', 9.99), '10003')
    assert.equal(again('succeeded', 10), 'nothing')
    assert.equal(again('pending', 9000), '10003')
    assert.equal(again('waiting', 9000), '10003')
  })

  it('without a number is a new refund when trade number, amount or remark differ', () => {
    for (const change of [
      { tradeNo: 'T2' },
      { money: { amount: 499n, currency: 'USD' } },
      { remark: 'more' },
      { merRefundNo: 'back-1' },
    ])
      assert.equal(resultOf(anApplication(change), aRefund()), 'nothing')
  })

  it("is the same refund when it is sent again because the database's answer was lost", () => {
    assert.equal(resultOf(anApplication({ refundNo: 'R1' }), aRefund()), 'R1')
  })
})

test('a refund is called again after a second, then after twice as long each time, up to an hour', () => {
  const seconds = [1, 2, 3, 4, 12, 13, 14, 10_000].map((calls) => nextCallMs(calls) / 1000)
  assert.deepEqual(seconds, [1, 2, 4, 8, 2048, 3600, 3600, 3600])
})

test('the reference for the rail differs from the refund number and is the same for all calls', () => {
  assert.equal(refundReference('R1ABC'), 'B1ABC')
})
