import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBatcher } from '../postgres/batch.ts'
import { onePerKey } from './one-per-key.ts'

type Item = { readonly key: string; readonly value: number }

/** A batcher that records its batches. */
function batcherOf(flush = async (items: readonly Item[]) => items.map(({ value }) => value)) {
  const batches: string[][] = []
  const inner = createBatcher({
    maxBatch: 10,
    maxQueue: 1_000,
    async flush(items: readonly Item[]) {
      batches.push(items.map(({ key, value }) => `${key}${value}`))
      return flush(items)
    },
  })
  const isSame = (one: Item, other: Item) => one.value === other.value
  return { batches, batcher: onePerKey(inner, { keyOf: ({ key }) => key, isSame }) }
}

const item = (key: string, value: number): Item => ({ key, value })

test('a batch has one item per key; later ones follow one by one without delaying other keys', async () => {
  const { batches, batcher } = batcherOf()
  const submitted = [item('a', 1), item('a', 2), item('a', 3), item('b', 1), item('c', 1)]
  assert.deepEqual(await Promise.all(submitted.map(batcher.submit)), [1, 2, 3, 1, 1])
  assert.deepEqual(batches, [['a1', 'b1', 'c1'], ['a2'], ['a3']])
})

test('six hundred equal items of one key share two places', async () => {
  const { batches, batcher } = batcherOf()
  const results = await Promise.all(Array.from({ length: 600 }, () => batcher.submit(item('a', 7))))
  assert.deepEqual([...new Set(results)], [7])
  assert.deepEqual(batches, [['a7'], ['a7']])
})

test('items that wait for their key count as waiting, and the key is free when all are done', async () => {
  const { batches, batcher } = batcherOf()
  const both = [batcher.submit(item('a', 1)), batcher.submit(item('a', 2))]
  assert.equal(batcher.depth(), 2)
  await Promise.all(both)
  assert.equal(batcher.depth(), 0)
  await batcher.submit(item('a', 2))
  assert.equal(batches.length, 3)
})

test('a failed item does not fail those behind it', async () => {
  const { batcher } = batcherOf(async (items) => {
    if (items.some(({ value }) => value === 1)) throw new Error('bad item')
    return items.map(({ value }) => value)
  })
  const results = await Promise.allSettled([1, 2, 1].map((value) => batcher.submit(item('a', value))))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled', 'rejected'],
  )
})
