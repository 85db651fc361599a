// Mutations of `name=value` pairs: forms, query strings, cookies.
import type { Random } from '../../test/harness/random.ts'
import { mutateText, pickToken } from './text.ts'

export function mutatePairs(text: string, random: Random, other: string): string {
  const pairs = [...new URLSearchParams(text)]
  const at = random.below(pairs.length || 1)
  const [name, value] = pairs[at] ?? ['', '']
  const foreign = random.pick([...new URLSearchParams(other)]) ?? [name, value]
  const changed = random.pick<() => [string, string][]>([
    () => pairs.toSpliced(at, 1),
    () => pairs.toSpliced(at, 0, [name, pickToken(random)]),
    () => pairs.toSpliced(at, 1, [name, mutateText(value, random)]),
    () => pairs.toSpliced(at, 1, [name, pickToken(random)]),
    () => pairs.toSpliced(at, 1, [mutateText(name, random), value]),
    () => pairs.toSpliced(at, 1, [name, foreign[1]]),
    () => [...pairs, foreign],
  ])
  // In the result, a replacement character stands for a lone surrogate.
  return new URLSearchParams(changed?.() ?? pairs).toString()
}
