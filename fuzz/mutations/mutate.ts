// Chooses which text of an input changes, and how: by what it is first, and sometimes only as text.
import type { Random } from '../../test/harness/random.ts'
import type { Input } from '../input.ts'
import { mutateJson } from './json.ts'
import { mutatePairs } from './pairs.ts'
import { mutateText } from './text.ts'

const MOST_EDITS = 4

/** One to four changes in the named texts. */
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

/** As text in one of eight: most of those are refused by the first parser. */
function mutateAny(text: string, random: Random, other: string): string {
  if (random.chance(1 / 8)) return mutateText(text, random, other)
  const byValue = /^\s*[[{]/.test(text) ? mutateJson(text, random, other) : undefined
  if (byValue !== undefined) return byValue
  return /^[\w.-]+=/.test(text) ? mutatePairs(text, random, other) : mutateText(text, random, other)
}
