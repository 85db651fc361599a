import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, localDay, localTime, momentOf, startOfDay } from './local-day.ts'

test('the local day depends on the zone', () => {
  const at = new Date('2026-11-15T02:30:00Z')
  assert.equal(localDay(at, 'UTC'), '2026-11-15')
  assert.equal(localDay(at, 'America/Lima'), '2026-11-14')
  assert.equal(localDay(at, 'Asia/Shanghai'), '2026-11-15')
  assert.equal(localTime(at, 'Asia/Kathmandu'), '2026-11-15T08:15:00')
})

test('the cached day expires at midnight', () => {
  const zone = 'Europe/Madrid'
  const midnight = startOfDay('2026-03-29', zone).getTime()
  for (const [offsetMs, day] of [
    [0, '2026-03-29'],
    [-1, '2026-03-28'],
    [23 * 3_600_000, '2026-03-30'],
    [1, '2026-03-29'],
  ] as const) {
    assert.equal(localDay(new Date(midnight + offsetMs), zone), day)
  }
})

test('midnight is the first hour of a day, not the last', () => {
  assert.equal(localTime(new Date('2026-11-15T00:00:00Z'), 'UTC'), '2026-11-15T00:00:00')
})

for (const zone of [
  'UTC',
  'America/Lima',
  'Asia/Shanghai',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
]) {
  test(`the start of every day of two years falls on that day in ${zone}`, () => {
    for (let day = '2026-01-01'; day < '2028-01-01'; day = addDays(day, 1)) {
      const start = startOfDay(day, zone)
      assert.equal(localDay(start, zone), day)
      assert.notEqual(localDay(new Date(start.getTime() - 1), zone), day)
    }
  })
}

test('a local time converts to a moment and back', () => {
  assert.equal(momentOf('2026-07-01T12:00:00', 'Europe/Berlin').toISOString(), '2026-07-01T10:00:00.000Z')
  assert.equal(momentOf('2026-12-01T12:00:00', 'Europe/Berlin').toISOString(), '2026-12-01T11:00:00.000Z')
})
