// Random choices that can be repeated by their seed.
export type Random = {
  /** Returns an integer from zero to less than `end`. */
  below(end: number): number
  chance(share: number): boolean
  /** Picks an item. Undefined for an empty list. */
  pick<Item>(items: readonly Item[]): Item | undefined
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  // The generator is Mulberry32, which is small, and good enough to choose moves.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return { below, chance: (share) => next() < share, pick: (items) => items[below(items.length)] }
}

/** Returns a separate generator for each purpose, so that more draws for one purpose do not change the others. */
export function randomFor(seed: number, purpose: string): Random {
  let value = seed
  for (const letter of purpose) value = (Math.imul(value, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return seededRandom(value)
}

/** Returns an amount in the format of the interface: mostly small, some large, some of the smallest unit. */
export function wireAmount(random: Random, currency: string): string {
  const whole = 10 ** random.below(4) + random.below(400)
  if (currency === 'JPY') return `${whole * 10}.00`
  if (currency === 'VND') return `${whole * 1_000}.00`
  if (random.chance(0.05)) return '0.01'
  return `${whole}.${String(random.below(100)).padStart(2, '0')}`
}
