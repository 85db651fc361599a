import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOrder } from '../../../test/builders/builders.ts'
import type { PayoutFailed } from '../../rails/contract/payout-outcome.ts'
import { State } from '../orders/order.ts'
import { maskAccount } from './account.ts'
import {
  decide,
  kindsFor,
  mayFollow,
  type Payout,
  type PayoutEvent,
  type PayoutState,
  payoutReference,
  payoutStates,
} from './payout.ts'

const at = new Date('2026-11-15T12:00:00Z')
const money = { amount: 1000n, currency: 'USD' }
const account = { kind: 'pix', masked: '…1234', sealed: Buffer.alloc(1), beneficiary: {} } as const

function aPayout(state: PayoutState, changes: Partial<Payout> = {}): Payout {
  const orderState = { succeeded: State.succeeded, failed: State.failed }
  return {
    order: anOrder({
      kind: 'payout',
      money,
      state: state === 'succeeded' || state === 'failed' ? orderState[state] : State.processing,
    }),
    kind: 'pix',
    state,
    rail: 'payout-bank',
    reference: 'P1',
    account,
    fee: 0n,
    funding: { ...money, rate: undefined },
    askedBy: undefined,
    awaits: state === 'awaiting_approval' ? ['platform'] : [],
    sendingAt: at,
    asks: 0,
    returnedAmount: undefined,
    ...changes,
  }
}

const outcome = (reported: Extract<PayoutEvent, { kind: 'outcome' }>['outcome']): PayoutEvent => {
  return { kind: 'outcome', outcome: reported }
}
const SUCCESS = outcome({ kind: 'succeeded', money, railRef: 'r' })
const DECLINED = outcome({ kind: 'failed', cause: 'declined', message: 'No such account' })
const RETURNED = outcome({ kind: 'returned', message: 'Account closed', money: undefined })

const events: Readonly<Record<string, PayoutEvent>> = {
  account: { kind: 'account', account, rail: 'payout-bank', leaseMs: 5_000 },
  approved: { kind: 'approved', by: 'platform' },
  rejected: { kind: 'rejected', by: 'platform', why: 'No' },
  expired: { kind: 'expired' },
  'not-sent': { kind: 'not-sent', why: 'Lost' },
  routed: { kind: 'routed', to: { rail: 'other', leaseMs: 5_000 }, claims: 0 },
  waits: { kind: 'waits', claims: 0 },
  succeeded: SUCCESS,
  declined: DECLINED,
  returned: RETURNED,
}

/** The next state for each state and event. An event without an entry changes nothing. */
const expected: Readonly<Record<PayoutState, Readonly<Record<string, PayoutState>>>> = {
  tokenising: { account: 'sending', 'not-sent': 'failed' },
  awaiting_account: { account: 'sending', expired: 'failed' },
  awaiting_approval: { approved: 'sending', rejected: 'failed' },
  sending: {
    succeeded: 'succeeded',
    declined: 'failed',
    returned: 'returned',
    routed: 'sending',
    waits: 'sending',
  },
  succeeded: { returned: 'returned' },
  failed: {},
  returned: {},
}

test('every event in every state leads to the expected state', () => {
  for (const state of payoutStates)
    for (const [name, event] of Object.entries(events)) {
      const decision = decide(aPayout(state), event, at)
      const to = expected[state][name]
      assert.equal(decision.state, to ?? state, `${state}, ${name}`)
      assert.equal(decision.applied, to !== undefined, `${state}, ${name}`)
      assert.ok(decision.state === state || mayFollow(state, decision.state))
    }
})

test('a decided payout does not change, except that its money may come back, and only a sent one succeeds', () => {
  for (const from of payoutStates)
    for (const to of payoutStates) {
      if (from === 'succeeded') assert.equal(mayFollow(from, to), to === 'returned')
      if (from === 'failed' || from === 'returned') assert.equal(mayFollow(from, to), false)
      if (to === 'succeeded') assert.equal(mayFollow(from, to), from === 'sending')
    }
})

test('above the threshold a payout waits for the operator, wherever its account came from', () => {
  for (const state of ['tokenising', 'awaiting_account'] as const) {
    const decision = decide(aPayout(state, { awaits: ['platform'] }), events.account ?? DECLINED, at)
    assert.equal(decision.state, 'awaiting_approval')
    assert.equal(decision.askAt, undefined)
  }
})

test('a payout that needs two approvals is sent after the second one, and each of the two may reject it', () => {
  const both = aPayout('awaiting_approval', { awaits: ['platform', 'merchant'] })
  const one = aPayout('awaiting_approval', { awaits: ['merchant'] })
  const of = (payout: Payout, by: 'platform' | 'merchant') => decide(payout, { kind: 'approved', by }, at)
  for (const by of ['platform', 'merchant'] as const) {
    assert.partialDeepStrictEqual(of(both, by), { state: 'awaiting_approval', applied: true })
    assert.equal(decide(both, { kind: 'rejected', by, why: 'No' }, at).state, 'failed')
  }
  assert.equal(of(one, 'merchant').state, 'sending')
  assert.equal(of(one, 'platform').applied, false)
  assert.equal(decide(one, { kind: 'rejected', by: 'platform', why: 'No' }, at).applied, false)
})

test('an order is cancelled if the beneficiary enters no account, and fails for any other reason', () => {
  const of = (state: PayoutState, name: string) =>
    decide(aPayout(state), events[name] ?? DECLINED, at).orderState
  assert.equal(of('awaiting_account', 'expired'), State.cancelled)
  assert.equal(of('awaiting_approval', 'rejected'), State.failed)
  assert.equal(of('sending', 'declined'), State.failed)
})

test('an unknown outcome is queried again, at growing intervals', () => {
  const unknown = { kind: 'unknown', why: 'silence' } as const
  const waits = [0, 1, 2, 3].map((asks) => {
    const event = { kind: 'outcome', outcome: unknown, asks } as const
    const { askAt, keepsAskAt, state } = decide(aPayout('sending', { asks }), event, at)
    assert.deepEqual({ state, keepsAskAt }, { state: 'sending', keepsAskAt: false })
    return (askAt?.getTime() ?? 0) - at.getTime()
  })
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000])
})

test('what a rail reports by itself, or to a claim that is over, does not end the lease of the claim that is not', () => {
  for (const asks of [undefined, 1]) {
    const event = {
      kind: 'outcome',
      outcome: { kind: 'unknown', why: 'silence' },
      ...(asks && { asks }),
    } as const
    const { state, keepsAskAt } = decide(aPayout('sending', { asks: 2 }), event, at)
    assert.deepEqual({ state, keepsAskAt }, { state: 'sending', keepsAskAt: true })
  }
})

test('a payout goes to another rail only if its own certainly did not take it, and nobody claimed it since', () => {
  const next = { rail: 'other', leaseMs: 5_000 }
  const moved = (cause: PayoutFailed['cause'], changes: Partial<Payout> = {}, claims = 0) => {
    const reported = { kind: 'failed', cause, message: 'No' } as const
    const event: PayoutEvent = { kind: 'outcome', outcome: reported, next, claims, asks: claims }
    const { state, rail, askAt } = decide(aPayout('sending', changes), event, at)
    assert.equal(rail === undefined, askAt?.getTime() !== at.getTime() + 5_000)
    return rail ?? state
  }
  for (const cause of ['unreachable', 'unauthorised', 'refused'] as const) {
    assert.equal(moved(cause), 'other')
    assert.equal(moved(cause, { asks: 1 }, 1), 'other')
    assert.equal(moved(cause, { asks: 2 }, 1), 'sending')
    assert.equal(moved(cause, { account: { ...account, kind: 'card' } }), 'failed')
  }
  assert.equal(moved('declined'), 'failed')
  for (const event of [events.routed, events.waits])
    assert.equal(decide(aPayout('sending', { asks: 1 }), event ?? DECLINED, at).applied, false)
})

test('an echo of another amount is no success, and raises an alarm', () => {
  for (const other of [
    { amount: 999n, currency: 'USD' },
    { amount: 1000n, currency: 'EUR' },
  ]) {
    const reported = outcome({ kind: 'succeeded', money: other, railRef: 'r' })
    const decision = decide(aPayout('sending'), reported, at)
    assert.equal(decision.state, 'sending')
    assert.match(decision.alarm ?? '', /another amount/)
  }
})

test('a contradicting outcome raises an alarm and moves no money', () => {
  assert.match(
    decide(aPayout('succeeded'), DECLINED, at).alarm ?? '',
    /was succeeded, the rail now says failed: ./,
  )
  assert.match(decide(aPayout('failed'), SUCCESS, at).alarm ?? '', /was failed/)
  assert.match(decide(aPayout('awaiting_approval'), RETURNED, at).alarm ?? '', /was awaiting_approval/)
  assert.equal(decide(aPayout('succeeded'), SUCCESS, at).alarm, undefined)
  for (const late of [SUCCESS, DECLINED, RETURNED])
    assert.equal(decide(aPayout('returned'), late, at).alarm, undefined)
  assert.equal(decide(aPayout('failed'), RETURNED, at).alarm, undefined)
})

test("a page offers the kinds that fit the currency, the currency's own rail first", () => {
  assert.deepEqual(kindsFor('BRL'), ['pix', 'bank_account', 'card'])
  assert.deepEqual(kindsFor('MXN'), ['spei', 'bank_account', 'card'])
  assert.deepEqual(kindsFor('PEN'), ['per_transfer', 'bank_account', 'card'])
  assert.deepEqual(kindsFor('USD'), ['bank_account', 'card'])
})

test('at most the end of an account is shown', () => {
  assert.equal(maskAccount('card', '4242424242424242'), '424242…4242')
  assert.equal(maskAccount('bank_account', 'DE89370400440532013000'), '…3000')
  assert.equal(maskAccount('pix', 'a@b.c'), '….c')
})

test('a reference differs from the trade number and contains it', () => {
  assert.equal(payoutReference('T123'), 'P123')
})
