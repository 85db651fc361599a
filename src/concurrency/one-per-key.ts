// A queue per key in front of a batcher, so that a batch contains at most one item per key. Later items of a key wait until
// the previous one is done, without delaying other keys. Equal items that wait share one place and one result.

import type { Batcher } from '../postgres/batch.ts'

export type KeyOptions<Item> = {
  keyOf(item: Item): string
  /** Whether two items may share one result. */
  isSame(one: Item, other: Item): boolean
}

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { readonly item: Item }

export function onePerKey<Item, Result>(
  batcher: Batcher<Item, Result>,
  { keyOf, isSame }: KeyOptions<Item>,
): Batcher<Item, Result> {
  // Shared by all keys without waiting items, which is nearly always the case: one array less per item.
  const emptyLane: Waiting<Item, Result>[] = []
  const lanes = new Map<string, Waiting<Item, Result>[]>()
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

  function wait(key: string, lane: Waiting<Item, Result>[], item: Item): Promise<Result> {
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
