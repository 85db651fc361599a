// Background work on a list must not stop because of one item. The whole list is tried first; if it fails, its halves, until
// the item at fault is alone. That item is reported and left out, and all others are done.
import type { Clock } from '../base/clock.ts'
import { isConnectionError, mayRetry } from '../postgres/db.ts'

/**
 * Returns the results of the parts that succeeded. `work` must be all or nothing, like a transaction. Errors that are not
 * caused by an item, such as a lost connection, are thrown.
 */
export async function isolateFailures<Item, Result>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Result>,
  failed: (item: Item, error: unknown) => void,
): Promise<Result[]> {
  const [first] = items
  if (first === undefined) return []
  try {
    return [await work(items)]
  } catch (error) {
    if (isTransientFailure(error)) throw error
    if (items.length === 1) {
      failed(first, error)
      return []
    }
    const middle = Math.ceil(items.length / 2)
    const before = await isolateFailures(items.slice(0, middle), work, failed)
    return [...before, ...(await isolateFailures(items.slice(middle), work, failed))]
  }
}

export function isTransientFailure(error: unknown): boolean {
  return isConnectionError(error) || mayRetry(error)
}

/** Items that failed and are skipped for a while: an immediate retry would fail again and raise another alarm. */
export type SkippedItems<Item> = {
  add(item: Item): void
  has(item: Item): boolean
  all(): Item[]
}

const SKIP_MS = 10 * 60_000
/** Beyond this the oldest item is dropped, so it is merely retried sooner. */
const MAX_ITEMS = 1_000

export function createSkippedItems<Item>(clock: Clock, keyOf: (item: Item) => string): SkippedItems<Item> {
  const known = new Map<string, { readonly item: Item; readonly untilMs: number }>()
  const isOver = ({ untilMs }: { readonly untilMs: number }) => untilMs <= clock.now().getTime()
  return {
    add(item) {
      const key = keyOf(item)
      const [oldest] = known.keys()
      if (known.size >= MAX_ITEMS && !known.has(key) && oldest !== undefined) known.delete(oldest)
      known.set(key, { item, untilMs: clock.now().getTime() + SKIP_MS })
    },
    has(item) {
      const found = known.get(keyOf(item))
      return found !== undefined && !isOver(found)
    },
    all() {
      for (const [key, one] of known) if (isOver(one)) known.delete(key)
      return [...known.values()].map(({ item }) => item)
    },
  }
}
