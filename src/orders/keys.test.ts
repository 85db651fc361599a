import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeId } from '../base/id.ts'
import { attemptOf, attemptReference } from './keys.ts'

test('a reference contains its attempt, and other texts name none', () => {
  const tradeNo = makeId('T', 10_000_001, new Date())
  for (const attemptNo of [1, 5, 10])
    assert.deepEqual(attemptOf(attemptReference(tradeNo, attemptNo)), { tradeNo, attemptNo })
  for (const other of ['', tradeNo, `${tradeNo}1`, `A${tradeNo.slice(1)}`, `A${tradeNo.slice(1)}0`, 'A1'])
    assert.equal(attemptOf(other), undefined)
})
