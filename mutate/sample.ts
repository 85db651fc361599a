// The mutations of the chosen folders, or a random sample of them. With the same seed, a small sample is the beginning
// of a larger one.
import { seededRandom } from '../test/harness/random.ts'
import { findMutations } from './find-mutations.ts'
import type { Mutation } from './mutation.ts'
import type { Sources } from './sources.ts'

export function allMutations(sources: Sources, folders: readonly string[]): Mutation[] {
  const paths = sources.paths.filter((path) => {
    return (
      !path.endsWith('.test.ts') && folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
    )
  })
  if (paths.length === 0) throw new Error(`there are no source files in ${folders.join(', ')}`)
  return paths.toSorted().flatMap((path) => findMutations(sources, path))
}

export function drawSample<Item>(items: readonly Item[], size: number, seed: number): Item[] {
  const random = seededRandom(seed)
  const waiting = [...items]
  const drawn: Item[] = []
  while (drawn.length < size && waiting.length > 0)
    drawn.push(...waiting.splice(random.below(waiting.length), 1))
  return drawn
}
