import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromPing, neededBy } from './check-bridge.ts'

test('an entry needs the operations of its methods and payouts', () => {
  assert.deepEqual(neededBy({ methods: ['spei'], payoutKinds: ['card'] }).toSorted(), [
    'cancel',
    'lookup',
    'open',
    'refund',
    'send',
    'tokenise',
  ])
  // Payments by these methods cannot be refunded.
  assert.deepEqual(neededBy({ methods: ['cash_app', 'unionpay'], payoutKinds: [] }).toSorted(), [
    'cancel',
    'lookup',
    'open',
  ])
  assert.ok(neededBy({ methods: ['card'], payoutKinds: [] }).includes('authorise'))
})

test('an answer to a ping says what is wrong, and what to check', () => {
  const answer = (status: number, body: unknown) => ({ kind: 'answer', status, body }) as const
  const cases = [
    [answer(200, { operations: ['open', 'lookup'] }), true, /accepted/],
    [answer(200, {}), true, /accepted/],
    [answer(200, { operations: ['open'] }), false, /does not offer lookup/],
    [answer(401, { error: 'unauthorised' }), false, /"secret"/],
    [answer(404, { error: 'no_such_operation' }), true, /no ping/],
    [answer(404, undefined), false, /"url"/],
    [answer(500, {}), false, /500/],
    [{ kind: 'unsent', why: 'the connection broke' } as const, false, /did not answer/],
  ] as const
  for (const [reply, isRight, message] of cases) {
    const checked = fromPing(reply, ['open', 'lookup'])
    assert.equal(checked.isRight, isRight, checked.message)
    assert.match(checked.message, message)
  }
})
