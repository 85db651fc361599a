// Requests that wait at the same moment share one statement and one commit. One flush at a time: while it runs the next
// batch gathers, so batches grow with the load by themselves. Quick flushes may be held apart: whoever comes alone never
// waits, and many small ones cost more than one. The queue is bounded: beyond it the caller is told at once.
//
// A flush is all or nothing. One that lost a deadlock runs again; one that fails for another reason is halved until the
// item at fault stands alone, so that one bad item never fails its neighbours.
import { setTimeout as sleep } from 'node:timers/promises'
import { isConnectionError, mayRetry } from './db.ts'

export class Overloaded extends Error {
  readonly retryAfterSeconds = 1
  constructor() {
    super('too many requests are waiting')
    this.name = 'Overloaded'
  }
}

export type BatchOptions<Item, Result> = {
  readonly maxBatch: number
  readonly maxQueue: number
  /** A batch that follows another begins this long after it at the earliest. */
  readonly everyMs?: number
  /** One transaction for all: a result per item, in the same order, or a throw and nothing written. */
  readonly flush: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly observe?: (batchSize: number) => void
}

export type Batcher<Item, Result> = {
  submit(item: Item): Promise<Result>
  /** How many wait, those in the running flush not counted. */
  depth(): number
}

type Waiting<Item, Result> = {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

const MAX_TRIES = 6

export function createBatcher<Item, Result>(options: BatchOptions<Item, Result>): Batcher<Item, Result> {
  let queue: Waiting<Item, Result>[] = []
  let running = false

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, options.maxBatch)
      queue = queue.slice(options.maxBatch)
      options.observe?.(batch.length)
      const startedMs = performance.now()
      await flush(batch)
      const earlyMs = startedMs + (options.everyMs ?? 0) - performance.now()
      if (earlyMs > 0 && queue.length > 0 && queue.length < options.maxBatch) await sleep(earlyMs)
    }
    running = false
  }

  async function flush(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = (await flushWithRetries(batch.map((waiting) => waiting.item))).values()
      for (const waiting of batch) {
        const next = results.next()
        if (next.done) waiting.reject(new Error('broken promise: a flush gives a result per item'))
        else waiting.resolve(next.value)
      }
    } catch (error) {
      if (batch.length === 1 || isConnectionError(error)) {
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
      if (!running) {
        running = true
        // After the sockets that are readable now: their requests join the first batch.
        setImmediate(run)
      }
      return result
    },
    depth: () => queue.length,
  }
}
