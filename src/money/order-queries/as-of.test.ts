import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AsOf, readAsOf, snapshotOf, writeAsOf } from './as-of.ts'

const snapshots = fc
  .record({
    at: fc.integer({ min: 0, max: 4_102_444_800_000 }),
    oldest: fc.integer({ min: 1, max: 2 ** 48 }),
    gaps: fc.uniqueArray(fc.integer({ min: 0, max: 5_000 }), { maxLength: 100 }),
  })
  .map(({ at, oldest, gaps }): AsOf => {
    const underWay = gaps.sort((one, other) => one - other).map((gap) => oldest + gap)
    return { at: new Date(at), oldest, next: oldest + 5_001, underWay }
  })

test('reading returns what was written, whatever was under way', () => {
  fc.assert(fc.property(snapshots, (asOf) => assert.deepEqual(readAsOf(writeAsOf(asOf)), asOf)))
})

test('a hundred transactions under way still fit the field that carries them', () => {
  const underWay = Array.from({ length: 100 }, (_, index) => 10 ** 12 + index * 40)
  const asOf = { at: new Date(), oldest: 10 ** 12, next: 10 ** 12 + 4_000, underWay }
  assert.ok(writeAsOf(asOf).length < 600)
})

test('it is the text that PostgreSQL reads', () => {
  const asOf = { at: new Date(0), oldest: 7, next: 12, underWay: [7, 9] }
  assert.equal(snapshotOf(asOf), '7:12:7,9')
})

for (const text of [
  'x',
  '1.2',
  '1.2.-3',
  'A.B.C',
  '1.2.3.9',
  '1.2.9.5.4',
  '1.2.9.4.4',
  '1.0.5',
  `${'z'.repeat(11)}.1.1`,
]) {
  test(`"${text}" is refused`, () => assert.equal(readAsOf(text), undefined))
}
