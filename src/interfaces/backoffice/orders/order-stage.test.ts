import assert from 'node:assert/strict'
import { test } from 'node:test'
import { State } from '../../../money/orders/order.ts'
import { EXPIRED } from '../../../money/payments/decide-outcome.ts'
import { stageOfState, stateWords } from '../state-words.ts'
import { stageOf } from './order-stage.ts'

const none = { attemptNo: null, attemptState: null, actionKind: null }
const plain = { message: '', amount: 1000n, received: null, refunded: 0n, ...none }

test('every state of an order has a stage, and every stage has words in both languages', () => {
  assert.deepEqual(
    Object.keys(stageOfState).map(Number),
    Object.values(State).toSorted((one, other) => one - other),
  )
  assert.deepEqual(Object.keys(stateWords.zh.orders), Object.keys(stateWords.en.orders))
})

test('an open order says what its latest attempt waits for', () => {
  const open = (changes: Partial<Parameters<typeof stageOf>[0]>) =>
    stageOf({ ...plain, state: State.processing, ...changes })
  const attempt = (attemptNo: number, attemptState: 'calling' | 'pending' | 'unknown' | 'failed') =>
    open({ attemptNo, attemptState, actionKind: 'qr' })
  assert.equal(open({}), 'waiting_for_payer')
  assert.equal(attempt(1, 'calling'), 'processing')
  assert.equal(attempt(2, 'calling'), 'retrying')
  assert.equal(attempt(2, 'pending'), 'waiting_for_payer')
  assert.equal(attempt(1, 'unknown'), 'unknown')
  assert.equal(attempt(1, 'failed'), 'waiting_for_payer', 'the payer may try again')
  const challenged = { attemptNo: 1, attemptState: 'pending', actionKind: 'challenge' } as const
  assert.equal(open(challenged), 'waiting_for_challenge')
  assert.equal(open({ attemptNo: 1, attemptState: 'pending', received: 400n }), 'partly_paid')
})

test('a paid order says that a part was refunded, and an expired order that it expired', () => {
  assert.equal(stageOf({ ...plain, state: State.succeeded }), 'succeeded')
  assert.equal(stageOf({ ...plain, state: State.succeeded, refunded: 1n }), 'partly_refunded')
  assert.equal(stageOf({ ...plain, state: State.refunded, refunded: 1000n }), 'refunded')
  assert.equal(stageOf({ ...plain, state: State.refunding, refunded: 1n }), 'refunding')
  assert.equal(stageOf({ ...plain, state: State.cancelled, message: EXPIRED }), 'expired')
  assert.equal(stageOf({ ...plain, state: State.cancelled, message: 'Cancelled by the payer' }), 'cancelled')
})
