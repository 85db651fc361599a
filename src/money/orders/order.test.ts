import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeId } from '../../platform/base/id.ts'
import { attemptOf, attemptReference, compareKeys, mayBecome, State } from './order.ts'

test('the transition table: every pair of states, allowed or not', () => {
  const allowed = new Set(
    '1 5,1 6,1 7,1 24,24 25,24 5,24 6,25 5,25 6,25 24,5 10,5 12,10 5,10 9,10 12,9 5,9 12,12 5,12 10,12 9,12 11,12 17,17 11,7 5'.split(
      ',',
    ),
  )
  const states = Object.values(State)
  for (const from of states) {
    for (const to of states)
      assert.equal(mayBecome(from, to), allowed.has(`${from} ${to}`), `${from} → ${to}`)
  }
})

test('only a payout may fail after its success: its money came back; all other pairs are as for a payment', () => {
  const states = Object.values(State)
  const pairs = states.flatMap((from) => states.map((to) => [from, to] as const))
  assert.deepEqual(
    pairs.filter(([from, to]) => mayBecome(from, to, 'payout') !== mayBecome(from, to, 'payment')),
    [[State.succeeded, State.failed]],
  )
  assert.equal(mayBecome(State.succeeded, State.failed, 'payout'), true)
})

test('a reference contains its attempt, and other texts name none', () => {
  const tradeNo = makeId('T', 10_000_001, new Date())
  for (const attemptNo of [1, 5, 10])
    assert.deepEqual(attemptOf(attemptReference(tradeNo, attemptNo)), { tradeNo, attemptNo })
  for (const other of ['', tradeNo, `${tradeNo}1`, `A${tradeNo.slice(1)}`, `A${tradeNo.slice(1)}0`, 'A1'])
    assert.equal(attemptOf(other), undefined)
})

test('orders are locked by merchant number, and those of one merchant by trade number', () => {
  const sorted = [
    { merNo: 1, tradeNo: 'B' },
    { merNo: 2, tradeNo: 'A' },
    { merNo: 2, tradeNo: 'B' },
    { merNo: 10, tradeNo: 'A' },
  ]
  assert.deepEqual(sorted.toReversed().sort(compareKeys), sorted)
  assert.equal(compareKeys({ merNo: 2, tradeNo: 'A' }, { merNo: 2, tradeNo: 'A' }), 0)
})
