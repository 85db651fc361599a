// Chooses the text of an input that changes, and the mutation: usually one for the text's format, sometimes one for
// plain text.
import type { Random } from '../../test/harness/random.ts'
import type { Input } from '../input.ts'
import { mutateJson } from './json.ts'
import { mutatePairs } from './pairs.ts'
import { mutateText } from './text.ts'

const MOST_EDITS = 4

/** Returns a function that makes one to four changes in the named texts. */
export function mutateParts(names: readonly string[]) {
  return (input: Input, random: Random, other: Input): Input => {
    const changed = { ...input }
    for (let edits = 1 + random.below(MOST_EDITS); edits > 0; edits--) {
      const name = random.pick(names) ?? ''
      changed[name] = mutateAny(changed[name] ?? '', random, other[name] ?? '')
    }
    return changed
  }
}

/**
 * Mutates one of eight texts as plain text. The first parser refuses most of these, so the others keep their format.
 */
function mutateAny(text: string, random: Random, other: string): string {
  if (random.chance(1 / 8)) return mutateText(text, random, other)
  const byValue = /^\s*[[{]/.test(text) ? mutateJson(text, random, other) : undefined
  if (byValue !== undefined) return byValue
  return /^[\w.-]+=/.test(text) ? mutatePairs(text, random, other) : mutateText(text, random, other)
}
