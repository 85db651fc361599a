// One target with its corpus. An input that reaches new code is kept and mutated further, so that the coverage guides
// the fuzzer.
import type { Random } from '../test/harness/random.ts'
import { type Coverage, type Reached, without } from './coverage.ts'
import { bytesOf, type Input, type Result, type Target } from './input.ts'

export type Lane = {
  readonly target: Target
  readonly counts: { inputs: number; kept: number; finds: number; accepted: number; slow: number }
  /** Runs the seeds unchanged. */
  begin(): Promise<void>
  runBatch(): Promise<void>
  /** The inputs of the last batch. */
  last(): readonly Input[]
}

export type LaneOptions = {
  readonly target: Target
  readonly random: Random
  readonly coverage: Coverage
  readonly found: (input: Input, problem: string) => void
  /** True when the run is over: no batch continues then. */
  readonly isOver: () => boolean
}

const MOST_KEPT = 2_000
/** The limit of searches after a batch. New code beyond this limit is the work of timers rather than of an input. */
const MOST_SEARCHES = 24
/** On a busy machine, the answer to a seed may come too late to be read, so the seed is tried again. */
const SEED_TRIES = 5

export function openLane({ target, random, coverage, found, isOver }: LaneOptions): Lane {
  const corpus: Input[] = []
  let last: readonly Input[] = []
  const counts = { inputs: 0, kept: 0, finds: 0, accepted: 0, slow: 0 }

  async function run(input: Input): Promise<Result> {
    counts.inputs++
    const result = await target.run(input)
    if (result.accepted) counts.accepted++
    if (result.problem !== undefined) found(input, result.problem)
    return result
  }

  /** Runs a seed, and repeats it if there was no answer at all. */
  async function runSeed(seed: Input, triesLeft = SEED_TRIES): Promise<Result> {
    const result = await run(seed)
    const isSilent = !result.accepted && (result.answer ?? '') === ''
    return isSilent && triesLeft > 1 ? runSeed(seed, triesLeft - 1) : result
  }

  async function runAll(inputs: readonly Input[]): Promise<void> {
    const waiting = [...inputs].reverse()
    const worker = async () => {
      for (let next = waiting.pop(); next !== undefined && !isOver(); next = waiting.pop()) await run(next)
    }
    await Promise.all(Array.from({ length: target.atOnce }, worker))
  }

  /**
   * Finds and keeps the inputs that reach this code, by running smaller and smaller halves. Returns the code that was
   * reached.
   */
  async function search(inputs: readonly Input[], code: Reached, budget: { left: number }): Promise<Reached> {
    if (inputs.length === 0 || code.size === 0 || budget.left-- <= 0 || isOver()) return new Map()
    await runAll(inputs)
    const reached = await coverage.takeOf(code)
    const [first] = inputs
    if (reached.size === 0 || first === undefined) return reached
    if (inputs.length === 1) {
      keep(first)
      return reached
    }
    const middle = inputs.length >> 1
    const early = await search(inputs.slice(0, middle), reached, budget)
    await search(inputs.slice(middle), without(reached, early), budget)
    return reached
  }

  function keep(input: Input): void {
    counts.kept++
    corpus.push(input)
    if (corpus.length > MOST_KEPT) corpus.splice(target.seeds.length + random.below(MOST_KEPT / 2), 1)
  }

  return {
    target,
    counts,
    last: () => last,
    async begin() {
      last = target.seeds
      for (const seed of target.seeds) {
        const { accepted, answer = '' } = await runSeed(seed)
        if (!accepted)
          throw new Error(`${target.name}: a seed was refused: ${answer}\n${JSON.stringify(seed)}`)
        corpus.push(seed)
      }
      await coverage.take()
    },
    async runBatch() {
      const batch = Array.from({ length: target.batch }, mutated)
      last = batch
      await runAll(batch)
      const reached = await coverage.take()
      // Smaller inputs come first, so that the smallest input that reaches the code is kept.
      const bySize = batch.toSorted((one, other) => bytesOf(one) - bytesOf(other))
      if (reached.size > 0) await search(bySize, reached, { left: MOST_SEARCHES })
    },
  }

  function mutated(): Input {
    const input = random.pick(corpus) ?? {}
    return target.mutate(input, random, random.pick(corpus) ?? input)
  }
}
