import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anOrder } from '../../../test/builders/builders.ts'
import type { Failed } from '../../rails/contract/channel.ts'
import { type AttemptState, State } from '../orders/order.ts'
import { type Circumstances, decide } from './decide-outcome.ts'

test('the state of an order after a failed attempt, by cause, attempts left and next channel', () => {
  const { processing: open, failed, cancelled } = State
  const table: [Failed['cause'], number, Circumstances, number][] = [
    ['declined', 1, {}, failed],
    ['refused', 1, {}, failed],
    ['unreachable', 1, {}, failed],
    ['cancelled', 1, {}, cancelled],
    // An order on our page allows five attempts. The order stays open after a declined attempt, but not after an
    // expired one.
    ['declined', 5, {}, open],
    ['unreachable', 5, {}, open],
    ['cancelled', 5, {}, cancelled],
    ['cancelled', 5, { keepsOrder: true }, open],
    ['cancelled', 1, { keepsOrder: true }, cancelled],
    // The next channel is tried only after a failure of the channel itself.
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

test('a cancelled attempt has expired if its payer was late, unless the payer cancelled it', () => {
  const late = { isLate: true }
  const table: [AttemptState, string, Circumstances, string][] = [
    ['pending', 'Void', late, 'Expired: nobody paid in time'],
    ['pending', 'Cancelled by the payer', late, 'Cancelled by the payer'],
    ['pending', 'Void', {}, 'Void'],
    // This attempt did not wait for a payer. The channel was asked about a call with an unknown outcome.
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

test('the alarm about a paid payment that now failed says why', () => {
  const paid = anOrder({ attempt: { ...anOrder().attempt, state: 'succeeded' } })
  const { alarm } = decide(paid, { kind: 'failed', cause: 'cancelled', message: 'Voided' })
  assert.equal(alarm, 'was succeeded, the channel now says failed: Voided')
})

const tried = (no: number) => anOrder({ maxAttempts: 5, attempt: { ...anOrder().attempt, no } })

test('the last of several attempts decides the order', () => {
  const declined = { kind: 'failed', cause: 'declined', message: 'no' } as const
  assert.equal(decide(tried(4), declined).orderState, State.processing)
  assert.equal(decide(tried(5), declined).orderState, State.failed)
})

test('a payment in review asks for more information instead of succeeding', () => {
  const order = anOrder({ needsReview: true })
  const paid = decide(order, { kind: 'succeeded', money: order.money, channelRef: 'c' })
  assert.equal(paid.attemptState, 'succeeded')
  assert.equal(paid.orderState, State.informationAsked)
  const action = { kind: 'redirect', url: 'https://bank.example' } as const
  const received = { kind: 'received', channelRef: 'c', deposits: [], action } as const
  assert.equal(decide(order, received, { arrived: 1000n }).orderState, State.informationAsked)
  assert.equal(decide(order, received, { arrived: 999n }).orderState, State.processing)
})
