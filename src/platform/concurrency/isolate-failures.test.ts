import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSkippedItems, isolateFailures } from './isolate-failures.ts'

test('halving finds one bad item, and all others are processed once', async () => {
  const done: number[] = []
  let calls = 0
  const work = async (items: readonly number[]) => {
    calls++
    if (items.includes(13)) throw new Error('thirteen')
    done.push(...items)
    return items.length
  }
  const failed: number[] = []
  const items = Array.from({ length: 64 }, (_, at) => at)
  const results = await isolateFailures(items, work, (item) => failed.push(item))
  assert.deepEqual(failed, [13])
  assert.deepEqual(
    done.toSorted((one, other) => one - other),
    items.filter((item) => item !== 13),
  )
  assert.equal(
    results.reduce((sum, one) => sum + one, 0),
    63,
  )
  assert.equal(calls, 13)
})

test('a lost connection is not blamed on an item', async () => {
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  const work = () => Promise.reject(lost)
  await assert.rejects(
    isolateFailures([1, 2], work, () => assert.fail('nobody is at fault')),
    lost,
  )
})

test('a skipped item is tried again after ten minutes', () => {
  let nowMs = 0
  const aside = createSkippedItems({ now: () => new Date(nowMs) }, (item: { id: number }) => String(item.id))
  aside.add({ id: 1 })
  nowMs = 9 * 60_000
  aside.add({ id: 2 })
  assert.deepEqual(
    { isAside: aside.has({ id: 1 }), all: aside.all() },
    { isAside: true, all: [{ id: 1 }, { id: 2 }] },
  )
  nowMs = 10 * 60_000
  assert.deepEqual({ isAside: aside.has({ id: 1 }), all: aside.all() }, { isAside: false, all: [{ id: 2 }] })
})
