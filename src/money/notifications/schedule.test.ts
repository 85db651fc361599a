import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseMs, MOST_DELIVERIES, nextDueAt, toleranceMs, waitAfterMs, waitsMs } from './schedule.ts'

test('the waits are 1, 2, 4 … 128 minutes, nine deliveries in all', () => {
  const waits = Array.from({ length: MOST_DELIVERIES }, (_, at) => waitAfterMs(at + 1, 60_000))
  const minutes = [1, 2, 4, 8, 16, 32, 64, 128]
  assert.deepEqual(waits, [...minutes.map((minute) => minute * 60_000), undefined])
  assert.deepEqual(
    waitsMs(60_000),
    minutes.map((minute) => minute * 60_000),
  )
})

test('the next delivery is due that long after the previous one was sent, and none after the ninth', () => {
  const leftAt = new Date('2026-11-15T00:00:00Z')
  assert.equal(nextDueAt(leftAt, 1, 60_000)?.toISOString(), '2026-11-15T00:01:00.000Z')
  assert.equal(nextDueAt(leftAt, 8, 60_000)?.toISOString(), '2026-11-15T02:08:00.000Z')
  assert.equal(nextDueAt(leftAt, 9, 60_000), undefined)
})

test('a lease outlasts the time-out by five seconds', () => assert.equal(leaseMs(15_000), 20_000))

test('a delivery may be late by a tenth of its wait and 200 ms', () => {
  assert.equal(toleranceMs(0), 200)
  assert.equal(toleranceMs(60_000), 6_200)
})
