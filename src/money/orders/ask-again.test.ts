import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextAskMs } from './ask-again.ts'

test('a retry comes after a second or two, then at most five minutes apart, and hourly after a day', () => {
  const waits = Array.from({ length: 30 }, (_, asks) => nextAskMs(asks, 0))
  assert.deepEqual(waits.slice(0, 4), [1000, 2000, 4000, 8000])
  assert.equal(Math.max(...waits), 300_000)
  assert.equal(nextAskMs(30, 25 * 3_600_000), 3_600_000)
})
