// Finds the known name that somebody meant with a misspelt name.

/**
 * Returns the known name that needs the fewest corrections to become `name`. If several names need equally few
 * corrections, returns the first of these names. Undefined if every known name needs more than `most` corrections.
 */
export function nearest(name: string, known: readonly string[], most: number): string | undefined {
  let found: string | undefined
  let fewest = most + 1
  for (const one of known) {
    const needed = corrections(name, one)
    if (needed < fewest) [found, fewest] = [one, needed]
  }
  return found
}

/** The least number of letters to add, remove, replace or swap with a neighbour to turn one text into the other. */
function corrections(one: string, other: string): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1]
    for (let place = 0; place < other.length; place++) {
      const same = one[at] === other[place]
      const isSwap = at > 0 && place > 0 && one[at] === other[place - 1] && one[at - 1] === other[place]
      const [above = 0, left = 0, diagonal = 0] = [row[place + 1], next[place], row[place]]
      const swapped = isSwap ? (before[place - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(above + 1, left + 1, diagonal + (same ? 0 : 1), swapped))
    }
    before = row
    row = next
  }
  return row.at(-1) ?? 0
}
