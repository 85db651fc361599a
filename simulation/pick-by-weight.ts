import type { Random } from '../test/harness/random.ts'

/** Returns undefined for an empty list. */
export function pickByWeight<Item extends { readonly weight: number }>(
  items: readonly Item[],
  random: Random,
): Item | undefined {
  let left = random.below(items.reduce((sum, { weight }) => sum + weight, 0))
  for (const item of items) {
    left -= item.weight
    if (left < 0) return item
  }
  return undefined
}
