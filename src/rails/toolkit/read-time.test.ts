import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTime, readTimeMs } from './read-time.ts'

test('a time of our century is read, with its zone', () => {
  assert.equal(readTime('2026-11-16T02:00:00.440Z')?.getTime(), Date.UTC(2026, 10, 16, 2, 0, 0, 440))
  assert.equal(readTime('2026-11-16T02:00:00-03:00')?.getTime(), Date.UTC(2026, 10, 16, 5))
  assert.equal(readTimeMs(Date.UTC(2026, 0, 1))?.getTime(), Date.UTC(2026, 0, 1))
})

test('a time without a zone is in UTC, whatever the zone of this machine', () => {
  const zone = process.env.TZ
  process.env.TZ = 'America/Mexico_City'
  for (const text of ['2026-11-16T02:00:00', '2026-11-16 02:00:00', '2026-11-16T04:00:00+0200'])
    assert.equal(readTime(text)?.getTime(), Date.UTC(2026, 10, 16, 2), text)
  assert.equal(readTime('2026-11-16')?.getTime(), Date.UTC(2026, 10, 16))
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

test('what is no time, or of a year that no payment can have, is not read', () => {
  for (const text of [
    '',
    'yesterday',
    '.440Z',
    '11/18/2026, 5:24:00 AM',
    'Wed, 18 Nov 2026 05:24:00 GMT',
    '2026-13-41T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '+275760-09-13T00:00:00.000Z',
    20,
    null,
  ])
    assert.equal(readTime(text), undefined, String(text))
  for (const ms of [Number.NaN, -1, 8.64e15, 1e300, '2026'])
    assert.equal(readTimeMs(ms), undefined, String(ms))
})
