// Isolates items that fail, so that one bad item does not stop background work on a list. A list that fails is halved
// until the bad item is alone. That item is reported and skipped. See docs/decisions/0155-bad-rows.md.
import type { Clock } from '../base/clock.ts'
import { mayRetry } from '../postgres/db.ts'
import { isUnusable } from '../postgres/outages.ts'

/**
 * Returns the results of the parts that succeeded. `work` must be all or nothing, like a transaction. Errors that no
 * item causes, such as a lost connection or a read-only database, are thrown.
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
  return isUnusable(error) || mayRetry(error)
}

/** The items that failed lately. They are skipped for `SKIP_MS`, because an immediate retry would likely fail again. */
export type SkippedItems<Item> = {
  add(item: Item): void
  has(item: Item): boolean
  all(): Item[]
}

const SKIP_MS = 10 * 60_000
/** The maximum number of skipped items. Beyond this number, the oldest item is no longer skipped. */
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
