import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createBatcher, Overloaded } from './batch.ts'

const double = async (items: readonly number[]) => items.map((item) => item * 2)

test('what is submitted in one moment shares a flush, and everyone gets their own result', async () => {
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

test('enough of them begin while others are still read, fewer when all is read', async () => {
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

test('who comes alone goes at once; a batch that follows waits for others to join it', async () => {
  const sizes: number[] = []
  const held = Promise.withResolvers<void>()
  const batcher = createBatcher({
    maxBatch: 100,
    maxQueue: 100,
    everyMs: 500,
    async flush(items: readonly number[]) {
      sizes.push(items.length)
      await held.promise
      return items
    },
  })
  const first = batcher.submit(1)
  while (sizes.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const second = batcher.submit(2)
  held.resolve()
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

test('a deadlock is tried again and nobody notices', async () => {
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

test('a lost connection fails the whole batch at once: halving it would only lose more time', async () => {
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

test('beyond the queue callers are turned away at once, and those within are served', async () => {
  const batcher = createBatcher({ maxBatch: 2, maxQueue: 5, flush: double })
  const results = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((item) => batcher.submit(item)))
  assert.deepEqual(
    results.map((result) => result.status),
    [...Array(5).fill('fulfilled'), 'rejected', 'rejected'],
  )
  const last = results.at(-1)
  assert.ok(last?.status === 'rejected' && last.reason instanceof Overloaded)
})
