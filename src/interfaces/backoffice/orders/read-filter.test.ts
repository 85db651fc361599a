import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFilter } from './read-filter.ts'

/** In Tokyo, this is nine o'clock in the morning of March 1. */
const now = new Date('2026-03-01T00:00:00Z')

test("a named period has the current days of the merchant's time zone", () => {
  const days = (name: string, timezone: string) => {
    const { from, until } = readFilter({ from: name, to: name }, timezone, now)
    return [from?.toISOString(), until?.toISOString()]
  }
  assert.deepEqual(days('today', 'UTC'), ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'])
  assert.deepEqual(days('today', 'America/New_York'), [
    '2026-02-28T05:00:00.000Z',
    '2026-03-01T05:00:00.000Z',
  ])
  assert.deepEqual(days('yesterday', 'UTC'), ['2026-02-28T00:00:00.000Z', '2026-03-01T00:00:00.000Z'])
  assert.deepEqual(days('last-7-days', 'UTC'), ['2026-02-23T00:00:00.000Z', '2026-03-02T00:00:00.000Z'])
  assert.deepEqual(days('last-month', 'Asia/Tokyo'), ['2026-01-31T15:00:00.000Z', '2026-02-28T15:00:00.000Z'])
})
