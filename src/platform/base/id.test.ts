import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeId, merNoOf } from './id.ts'

test('an id has 27 letters and digits and contains its merchant number, also the largest', () => {
  for (const merNo of [0, 1, 10_000_001, 9_999_999_999]) {
    const id = makeId('T', merNo, new Date())
    assert.match(id, /^T[0-9A-Z]{26}$/)
    assert.equal(merNoOf(id), merNo)
  }
})

test('ids sort by their time', () => {
  const early = makeId('T', 7, new Date('2026-11-15T00:00:00.000Z'))
  const late = makeId('T', 7, new Date('2026-11-15T00:00:00.001Z'))
  assert.ok(early < late)
})

test('a hundred thousand ids of one millisecond are all different', () => {
  const at = new Date()
  assert.equal(new Set(Array.from({ length: 100_000 }, () => makeId('T', 7, at))).size, 100_000)
})

test('text that is not an id has no merchant number', () => {
  for (const text of ['', 'T', 'x'.repeat(27), `T${'!'.repeat(26)}`]) assert.equal(merNoOf(text), undefined)
})
