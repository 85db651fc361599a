import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexingShare } from './index-worker.ts'

test('a busy gateway has the machine to itself, until searches are ten minutes behind', () => {
  const minutes = [0, 9, 10, 59, 60]
  assert.deepEqual(
    minutes.map((behind) => indexingShare(behind * 60_000, false)),
    [0.1, 0.1, 0.25, 0.25, 0.5],
  )
  assert.deepEqual(
    minutes.map((behind) => indexingShare(behind * 60_000, true)),
    [0.03, 0.03, 0.25, 0.25, 0.5],
  )
})
