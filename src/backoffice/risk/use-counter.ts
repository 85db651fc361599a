// Counts uses for a trial as the database does for payments, but in memory. What no later payment can count is dropped, so that
// memory follows the rule's window and not the month.
import type { Count, Need, Use } from '../../risk/evaluate.ts'
import { MOST_COUNTED } from '../../risk/rule.ts'

/** Oldest first, each with the sum before it: a count is one search, also after older ones were dropped. */
type Uses = { past: { readonly atMs: number; readonly usdBefore: bigint }[]; usd: bigint }

export function createUseCounter(windowMs: number, most: number) {
  const byKey = new Map<string, Uses>()
  let held = 0

  function drop(untilMs: number): void {
    for (const [name, uses] of byKey) {
      const kept = uses.past.slice(firstCounted(uses, untilMs))
      held -= uses.past.length - kept.length
      if (kept.length === 0) byKey.delete(name)
      else uses.past = kept
    }
  }

  return {
    /** False if the window has more than `most`. Nothing from before `reachedMs` comes later. */
    add({ merNo, key, usdValue }: Use, at: Date, reachedMs: number): boolean {
      const name = `${merNo} ${key}`
      const uses = byKey.get(name)
      const use = { atMs: at.getTime(), usdBefore: uses?.usd ?? 0n }
      // Most keys are used once, and an array that was pushed to has room for many.
      if (uses === undefined) byKey.set(name, { past: [use], usd: usdValue })
      else {
        uses.past.push(use)
        uses.usd += usdValue
      }
      held++
      // Dropping looks at every key: at twice the bound it is rare, because each time at least half of them go.
      if (held <= 2 * most) return true
      drop(reachedMs - windowMs)
      return held <= most
    },
    count({ merNo, key, since }: Need): Count {
      const uses = byKey.get(`${merNo} ${key}`)
      if (uses === undefined) return { payments: 0, usd: 0n }
      const begin = firstCounted(uses, since.getTime())
      const first = uses.past[begin]
      const usd = first === undefined ? 0n : uses.usd - first.usdBefore
      return { payments: uses.past.length - begin, usd }
    },
  }
}

/** The first one after `ms`; payments are checked by no more than the newest of them. */
function firstCounted({ past }: Uses, ms: number): number {
  let [low, high] = [Math.max(0, past.length - MOST_COUNTED), past.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((past[middle]?.atMs ?? 0) > ms) high = middle
    else low = middle + 1
  }
  return low
}
