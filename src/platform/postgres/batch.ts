// Batches let concurrent requests share one statement and one commit. One flush runs at a time, and new items wait in a
// bounded queue, so batches grow with the load. A flush starts when the event loop has read all readable sockets, or as
// soon as `enough` items wait, so that the database works while the other sockets are read.
//
// If fewer than `enough` items wait when a flush ends, the next flush waits for more items, but starts at the latest
// `everyMs` after the start of the flush that has ended. The wait helps because many small flushes cost more than one
// large flush. If no item waits when a flush ends, the next item does not wait for this interval.
//
// A flush is all or nothing. A flush that ends in a deadlock or a serialization failure is retried. After another error
// the batch is halved until the bad item is alone, so that one bad item never fails the others. After an outage the
// whole batch fails. See docs/decisions/0006-batches.md.
import { setTimeout as sleep } from 'node:timers/promises'
import { mayRetry } from './db.ts'
import { isUnusable } from './outages.ts'

export class Overloaded extends Error {
  readonly retryAfterSeconds = 1
  constructor() {
    super('too many requests are waiting')
    this.name = 'Overloaded'
  }
}

export type BatchOptions<Item, Result> = {
  readonly maxBatch: number
  /** A batch of this size starts immediately. Default: maxBatch. */
  readonly enough?: number
  readonly maxQueue: number
  /**
   * The minimum interval between the starts of two flushes. The interval does not apply if no item waits when the first
   * flush ends, and ends early when `enough` items wait.
   */
  readonly everyMs?: number
  /** Returns a result per item in the same order, or throws and writes nothing. */
  readonly flush: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly observe?: (batchSize: number) => void
}

export type Batcher<Item, Result> = {
  submit(item: Item): Promise<Result>
  /** The number of waiting items, without those of the running flush. */
  depth(): number
}

type Waiting<Item, Result> = {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

const MAX_TRIES = 6

export function createBatcher<Item, Result>(options: BatchOptions<Item, Result>): Batcher<Item, Result> {
  const { maxBatch, enough = maxBatch, everyMs = 0 } = options
  let queue: Waiting<Item, Result>[] = []
  let running = false
  let enoughWait = () => {}

  async function run(): Promise<void> {
    for (let restMs = 0; queue.length > 0; ) {
      if (queue.length < enough) await gather(restMs)
      const batch = queue.slice(0, maxBatch)
      queue = queue.slice(maxBatch)
      options.observe?.(batch.length)
      const startedMs = performance.now()
      await flush(batch)
      restMs = startedMs + everyMs - performance.now()
    }
    running = false
  }

  /**
   * Waits until there are enough items, but at most `restMs`. If `restMs` is 0 or less, waits only until all readable
   * sockets are read.
   */
  function gather(restMs: number): Promise<void> {
    return new Promise((resolve) => {
      enoughWait = resolve
      if (restMs > 0) setTimeout(resolve, restMs)
      else setImmediate(resolve)
    })
  }

  async function flush(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = (await flushWithRetries(batch.map((waiting) => waiting.item))).values()
      for (const waiting of batch) {
        const next = results.next()
        if (next.done) waiting.reject(new Error('broken invariant: a flush gives a result per item'))
        else waiting.resolve(next.value)
      }
    } catch (error) {
      if (batch.length === 1 || isUnusable(error)) {
        for (const waiting of batch) waiting.reject(error)
        return
      }
      const middle = Math.ceil(batch.length / 2)
      await flush(batch.slice(0, middle))
      await flush(batch.slice(middle))
    }
  }

  async function flushWithRetries(items: readonly Item[]): Promise<readonly Result[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await options.flush(items)
      } catch (error) {
        if (!mayRetry(error) || tries === MAX_TRIES) throw error
        await sleep(Math.random() * 5 * 2 ** tries)
      }
    }
  }

  return {
    submit(item) {
      if (queue.length >= options.maxQueue) return Promise.reject(new Overloaded())
      const result = new Promise<Result>((resolve, reject) => queue.push({ item, resolve, reject }))
      if (queue.length === enough) enoughWait()
      if (!running) {
        running = true
        run()
      }
      return result
    },
    depth: () => queue.length,
  }
}

export type KeyOptions<Item> = {
  keyOf(item: Item): string
  isSame(one: Item, other: Item): boolean
}

type InLane<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item }

/**
 * Gives each key a queue of its own: a batch contains at most one item per key, and a key never delays other keys.
 * Equal items that wait share one place and one result.
 */
export function onePerKey<Item, Result>(
  batcher: Batcher<Item, Result>,
  { keyOf, isSame }: KeyOptions<Item>,
): Batcher<Item, Result> {
  // All keys without waiting items share this array, because nearly every key has none.
  const emptyLane: InLane<Item, Result>[] = []
  const lanes = new Map<string, InLane<Item, Result>[]>()
  let waitingCount = 0

  function send(key: string, item: Item): Promise<Result> {
    const result = batcher.submit(item)
    const done = () => sendNext(key)
    result.then(done, done)
    return result
  }

  function sendNext(key: string): void {
    const lane = lanes.get(key)
    const next = lane === emptyLane ? undefined : lane?.shift()
    if (next === undefined) {
      lanes.delete(key)
    } else {
      waitingCount--
      send(key, next.item).then(next.resolve, next.reject)
    }
  }

  function wait(key: string, lane: InLane<Item, Result>[], item: Item): Promise<Result> {
    const same = lane.find((waiting) => isSame(waiting.item, item))
    if (same !== undefined) return same.promise
    const waiting = { item, ...Promise.withResolvers<Result>() }
    waitingCount++
    if (lane === emptyLane) lanes.set(key, [waiting])
    else lane.push(waiting)
    return waiting.promise
  }

  return {
    submit(item) {
      const key = keyOf(item)
      const lane = lanes.get(key)
      if (lane !== undefined) return wait(key, lane, item)
      lanes.set(key, emptyLane)
      return send(key, item)
    },
    depth: () => batcher.depth() + waitingCount,
  }
}
