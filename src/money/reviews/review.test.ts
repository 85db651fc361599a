import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeId } from '../../platform/base/id.ts'
import { attemptOf } from '../orders/order.ts'
import {
  decideReturn,
  judgeLate,
  keyOf,
  mayFollow,
  newReview,
  type ReviewState,
  returnOf,
  returnReference,
  reviewStates,
  suffixOf,
} from './review.ts'
import { checkFile } from './submit-review.ts'

test('the transition table: every pair of states, allowed or not', () => {
  const allowed = new Set([
    'picked asked',
    ...['submitted', 'approved', 'returning', 'rejected'].map((to) => `asked ${to}`),
    ...['asked', 'approved', 'returning', 'rejected'].map((to) => `submitted ${to}`),
    ...['rejected', 'asked', 'submitted'].map((to) => `returning ${to}`),
  ])
  for (const from of reviewStates) {
    for (const to of reviewStates)
      assert.equal(mayFollow(from, to), allowed.has(`${from} ${to}`), `${from} → ${to}`)
  }
})

test("each return has its own reference, which contains its order and is no payment's", () => {
  const tradeNo = makeId('T', 10_000_001, new Date())
  for (const returns of [1, 2, 12]) {
    const reference = returnReference(tradeNo, returns)
    assert.ok(reference.length <= 35, 'fits what bank transfers carry')
    assert.deepEqual(returnOf(reference), { tradeNo, returns })
    assert.equal(attemptOf(reference), undefined)
  }
  for (const other of ['', tradeNo, `A${tradeNo.slice(1)}1`, `V${tradeNo.slice(1)}`, `V${tradeNo.slice(1)}0`])
    assert.equal(returnOf(other), undefined, other)
})

test("a trade number contains its merchant's number, and other texts are refused", () => {
  const tradeNo = makeId('T', 10_000_001, new Date())
  assert.deepEqual(keyOf(tradeNo), { merNo: 10_000_001, tradeNo })
  for (const other of ['', 'T', 'T1', makeId('R', 10_000_001, new Date()), tradeNo.toLowerCase()])
    assert.throws(() => keyOf(other), { name: 'OperatorRefusal' }, other)
})

test('only the exact amount counts as returned; a decline or another amount raises an alarm', () => {
  const sent = { amount: 666n, currency: 'EUR' }
  const channelRef = 'r1'
  const decideSuccess = (money: typeof sent) => decideReturn(sent, { kind: 'succeeded', money, channelRef })
  assert.deepEqual(decideSuccess(sent), { kind: 'returned' })
  for (const other of [
    { ...sent, amount: 665n },
    { ...sent, currency: 'USD' },
  ]) {
    const { kind, alarm } = decideSuccess(other)
    assert.equal(kind, 'waiting')
    assert.ok(alarm)
  }
  const declined = decideReturn(sent, { kind: 'failed', cause: 'declined', message: 'Account closed' })
  assert.equal(declined.kind, 'declined')
  assert.match(declined.alarm ?? '', /Account closed/)
  assert.deepEqual(decideReturn(sent, { kind: 'pending', channelRef }), { kind: 'waiting' })
  assert.deepEqual(decideReturn(sent, { kind: 'unknown', why: 'no answer' }), { kind: 'waiting' })
})

test('reports of returns that are over: what came back, what contradicts the books, what was never sent', () => {
  const whole = { amount: 2n, currency: 'EUR' }
  const outcomes = [
    { kind: 'succeeded', money: { amount: 1n, currency: 'EUR' }, channelRef: 'r1' },
    { kind: 'failed', cause: 'declined', message: 'no' },
    { kind: 'returned', message: 'closed', money: undefined },
    { kind: 'returned', message: 'closed', money: whole },
    { kind: 'returned', message: 'closed', money: { amount: 1n, currency: 'EUR' } },
    { kind: 'unknown', why: 'no answer' },
  ] as const
  const key = { merNo: 10_000_001, tradeNo: makeId('T', 10_000_001, new Date()) }
  const judge = (state: ReviewState, made: number, returns: number) =>
    outcomes.map((outcome) =>
      judgeLate({ ...newReview(key, 'asked'), state, returns: made }, returns, whole, outcome),
    )
  const nothing = 'nothing new'
  const givenUp = ['contradicts', nothing, nothing, nothing, 'contradicts', nothing]
  assert.deepEqual(judge('rejected', 2, 2), [
    ...[nothing, 'contradicts'],
    ...['came back', 'came back', 'came back', nothing],
  ])
  for (const state of ['asked', 'submitted', 'approved'] as const)
    assert.deepEqual(judge(state, 1, 1), givenUp)
  for (const state of ['rejected', 'returning'] as const) assert.deepEqual(judge(state, 2, 1), givenUp)
  // The operator returned the money in another way.
  assert.deepEqual(judge('rejected', 0, 1), givenUp)
  for (const [state, made] of [
    ['asked', 0],
    ['rejected', 1],
    ['returning', 1],
  ] as const)
    assert.deepEqual(new Set(judge(state, made, made + 1)), new Set(['not made']))
})

const pdf = Buffer.from('%PDF-1.7\n…')
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const jpg = Buffer.from('ffd8ffe000104a464946', 'hex')

test('the type of a file is read from its first bytes', () => {
  assert.equal(suffixOf(pdf), '.pdf')
  assert.equal(suffixOf(png), '.png')
  assert.equal(suffixOf(jpg), '.jpg')
  for (const other of ['', '%PDF', ' %PDF-', '<svg/>', 'GIF89a', 'PK\x03\x04'])
    assert.equal(suffixOf(Buffer.from(other)), undefined, other)
})

test('type, content and size must all be right', () => {
  const largest = Buffer.concat([pdf], 2 * 1024 * 1024)
  assert.equal(checkFile('.pdf', largest), '.pdf')
  const wrong = [
    ['.gif', pdf],
    ['pdf', pdf],
    ['.PDF', pdf],
    ['.jpeg', jpg],
    ['constructor', pdf],
    ['.png', jpg],
    ['.pdf', Buffer.from('<html><script>')],
    ['.pdf', Buffer.alloc(0)],
    ['.pdf', Buffer.concat([pdf], 2 * 1024 * 1024 + 1)],
  ] as const
  for (const [type, content] of wrong)
    assert.throws(() => checkFile(type, content), { code: '10106' }, `${type} of ${content.length} bytes`)
})
