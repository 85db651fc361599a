// Background work on a list must not stop because of one item. The whole list is tried first; if it fails, its halves, until
// the item at fault is alone. That item is reported and left out, and all others are done.
import type { Clock } from '../base/clock.ts'
import { isConnectionError, mayRetry } from '../postgres/db.ts'

/**
 * The results of the parts that succeeded. `work` is all or nothing, like a transaction. Failures that say nothing about the
 * items, such as a lost connection, are thrown.
 */
export async function eachSurely<Item, Result>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Result>,
  failed: (item: Item, error: unknown) => void,
): Promise<Result[]> {
  const [first] = items
  if (first === undefined) return []
  try {
    return [await work(items)]
  } catch (error) {
    if (isNotTheirFault(error)) throw error
    if (items.length === 1) {
      failed(first, error)
      return []
    }
    const middle = Math.ceil(items.length / 2)
    const before = await eachSurely(items.slice(0, middle), work, failed)
    return [...before, ...(await eachSurely(items.slice(middle), work, failed))]
  }
}

export function isNotTheirFault(error: unknown): boolean {
  return isConnectionError(error) || mayRetry(error)
}

/** Items that failed are left out for a while: tried again at once, each would fail and raise an alarm each time. */
export type SetAside<Item> = {
  add(item: Item): void
  has(item: Item): boolean
  all(): Item[]
}

const FOR_MS = 10 * 60_000
/** Beyond it the oldest is forgotten, which only means that it is tried again sooner. */
const MOST = 1_000

export function createSetAside<Item>(clock: Clock, keyOf: (item: Item) => string): SetAside<Item> {
  const known = new Map<string, { readonly item: Item; readonly untilMs: number }>()
  const isOver = ({ untilMs }: { readonly untilMs: number }) => untilMs <= clock.now().getTime()
  return {
    add(item) {
      const key = keyOf(item)
      const [oldest] = known.keys()
      if (known.size >= MOST && !known.has(key) && oldest !== undefined) known.delete(oldest)
      known.set(key, { item, untilMs: clock.now().getTime() + FOR_MS })
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
