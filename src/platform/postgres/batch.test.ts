import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createBatcher, Overloaded, onePerKey } from './batch.ts'

const double = async (items: readonly number[]) => items.map((item) => item * 2)

test('items that are submitted together share a flush, and each gets its own result', async () => {
  const sizes: number[] = []
  const batcher = createBatcher({
    maxBatch: 100,
    maxQueue: 100,
    flush: double,
    observe: (size) => sizes.push(size),
  })
  const results = await Promise.all(Array.from({ length: 40 }, (_, index) => batcher.submit(index)))
  assert.deepEqual(
    results,
    Array.from({ length: 40 }, (_, index) => index * 2),
  )
  assert.deepEqual(sizes, [40])
})

test('a batch with enough items starts while others are still read, a smaller one when all are read', async () => {
  const flushes: [size: number, isAllRead: boolean][] = []
  let isAllRead = false
  const batcher = createBatcher({
    maxBatch: 100,
    enough: 3,
    maxQueue: 100,
    async flush(items: readonly number[]) {
      flushes.push([items.length, isAllRead])
      return items
    },
  })
  setImmediate(() => {
    isAllRead = true
  })
  await Promise.all([1, 2, 3].map(batcher.submit))
  await Promise.all([4, 5].map(batcher.submit))
  assert.deepEqual(flushes, [
    [3, false],
    [2, true],
  ])
})

test('a single item is flushed immediately; the next batch waits for others to join it', async () => {
  const sizes: number[] = []
  const gate = Promise.withResolvers<void>()
  const batcher = createBatcher({
    maxBatch: 100,
    maxQueue: 100,
    everyMs: 500,
    async flush(items: readonly number[]) {
      sizes.push(items.length)
      await gate.promise
      return items
    },
  })
  const first = batcher.submit(1)
  while (sizes.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const second = batcher.submit(2)
  gate.resolve()
  await first
  await Promise.all([second, batcher.submit(3)])
  assert.deepEqual(sizes, [1, 2])
})

test('flushes never overlap', async () => {
  let running = 0
  let most = 0
  const batcher = createBatcher({
    maxBatch: 3,
    maxQueue: 100,
    async flush(items: readonly number[]) {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 2))
      running--
      return items
    },
  })
  await Promise.all(Array.from({ length: 20 }, (_, index) => batcher.submit(index)))
  assert.equal(most, 1)
})

for (let poisoned = 0; poisoned < 7; poisoned++) {
  test(`a bad item at position ${poisoned} of seven fails alone`, async () => {
    const batcher = createBatcher({
      maxBatch: 7,
      maxQueue: 7,
      async flush(items: readonly number[]) {
        if (items.includes(poisoned)) throw new Error('bad item')
        return items
      },
    })
    const results = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map((item) => batcher.submit(item)))
    const failed = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []))
    assert.deepEqual(failed, [poisoned])
  })
}

test('a flush is retried after a deadlock, without an error for its callers', async () => {
  let tries = 0
  const batcher = createBatcher({
    maxBatch: 10,
    maxQueue: 10,
    async flush(items: readonly number[]) {
      if (++tries < 3)
        throw Object.assign(new pg.DatabaseError('deadlock detected', 0, 'error'), { code: '40P01' })
      return items
    },
  })
  assert.deepEqual(await Promise.all([batcher.submit(1), batcher.submit(2)]), [1, 2])
  assert.equal(tries, 3)
})

test('a lost connection fails the whole batch immediately: halving it would only take longer', async () => {
  let tries = 0
  const batcher = createBatcher<number, number>({
    maxBatch: 10,
    maxQueue: 10,
    async flush() {
      tries++
      throw new Error('Connection terminated unexpectedly')
    },
  })
  const results = await Promise.allSettled([batcher.submit(1), batcher.submit(2)])
  assert.deepEqual(
    results.map((result) => result.status),
    ['rejected', 'rejected'],
  )
  assert.equal(tries, 1)
})

test('callers beyond the queue are refused immediately, and those within are served', async () => {
  const batcher = createBatcher({ maxBatch: 2, maxQueue: 5, flush: double })
  const results = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((item) => batcher.submit(item)))
  assert.deepEqual(
    results.map((result) => result.status),
    [...Array(5).fill('fulfilled'), 'rejected', 'rejected'],
  )
  const last = results.at(-1)
  assert.ok(last?.status === 'rejected' && last.reason instanceof Overloaded)
})

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

test('six hundred equal items of one key share two entries', async () => {
  const { batches, batcher } = batcherOf()
  const results = await Promise.all(Array.from({ length: 600 }, () => batcher.submit(item('a', 7))))
  assert.deepEqual([...new Set(results)], [7])
  assert.deepEqual(batches, [['a7'], ['a7']])
})

test('items that wait for their key count in the depth, and the key is free when all are done', async () => {
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
