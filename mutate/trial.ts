// Tries one mutation with the tests beside the file, then other tests, then long tests, and at last the model. Within a
// group, the fastest test comes first.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findEquivalent } from './equivalents.ts'
import type { Mutation } from './mutation.ts'
import { root } from './sources.ts'
import { type Imports, testsFor } from './tests-beside.ts'
import type { Ended, Workshop } from './workshop.ts'

export type Verdict =
  | { readonly kind: 'killed'; readonly by: string; readonly why: string }
  | { readonly kind: 'survived'; readonly tests: readonly string[]; readonly hasModel: boolean }
  | { readonly kind: 'equivalent'; readonly reason: string }

export type Trial = { readonly mutation: Mutation; readonly verdict: Verdict; readonly ms: number }

export type Judge = {
  readonly imports: Imports
  readonly modelMinutes: number
  readonly seed: number
  /**
   * For each test that failed with a mutation, and for the model: whether it passes without a mutation. All jobs share
   * this map.
   */
  readonly passes: Map<string, Promise<boolean>>
  /** The duration of each test when it last passed. */
  readonly usualMs: Map<string, number>
  say(line: string): void
}

/** A mutant counts as hanging if it makes a test this many times slower. */
const HANGS_AFTER_TIMES = 5
/**
 * The limit for a test, other than a long test, whose usual duration is not known yet. The model may exceed its minutes
 * by this time.
 */
const LONGEST_MS = 180_000
const LONGEST_OF_LONG_MS = 900_000
const START_MS = 20_000

export async function tryMutation(judge: Judge, shop: Workshop, mutation: Mutation): Promise<Trial> {
  const startedAt = Date.now()
  const end = (verdict: Verdict): Trial => ({ mutation, verdict, ms: Date.now() - startedAt })
  const equivalent = findEquivalent(mutation)
  if (equivalent !== undefined) return end({ kind: 'equivalent', reason: equivalent.reason })
  const passed: string[] = []
  const { beside, others, long } = testsFor(mutation.file, judge.imports)
  for (const test of [beside, others, long].flatMap((some) => fastestFirst(judge, some))) {
    const usualMs = judge.usualMs.get(test)
    const longestMs = long.includes(test) ? LONGEST_OF_LONG_MS : LONGEST_MS
    const limitMs = usualMs === undefined ? longestMs : START_MS + HANGS_AFTER_TIMES * usualMs
    const ended = await shop.withMutation(mutation, () => shop.run([test], limitMs))
    if (ended.kind === 'passed') {
      judge.usualMs.set(test, ended.ms)
      passed.push(test)
    } else if (await passesUnchanged(judge, test, () => shop.run([test], longestMs)))
      return end({ kind: 'killed', by: test, why: ended.why })
  }
  let hasModel = judge.modelMinutes > 0
  if (hasModel) {
    const { args, env } = modelRun(judge)
    const run = () => shop.run(args, judge.modelMinutes * 60_000 + LONGEST_MS, env)
    const ended = await shop.withMutation(mutation, run)
    hasModel = ended.kind === 'passed' || (await passesUnchanged(judge, MODEL, run))
    if (ended.kind !== 'passed' && hasModel) return end({ kind: 'killed', by: MODEL, why: ended.why })
  }
  return end({ kind: 'survived', tests: passed, hasModel })
}

const MODEL = 'the model'

/**
 * Sorts tests by their usual duration. An unknown duration counts as LONGEST_MS. Equal tests stay in their order, the
 * nearest first.
 */
function fastestFirst({ usualMs }: Judge, tests: readonly string[]): string[] {
  const known = (test: string) => usualMs.get(test) ?? LONGEST_MS
  return tests.toSorted((one, other) => known(one) - known(other))
}

/** True if the test passes without a mutation. Otherwise its failure says nothing about a mutant. */
function passesUnchanged(
  { passes, usualMs, say }: Judge,
  test: string,
  run: () => Promise<Ended>,
): Promise<boolean> {
  const known = passes.get(test)
  if (known !== undefined) return known
  const running = run().then(({ kind, ms, why }) => {
    if (kind === 'passed') usualMs.set(test, ms)
    else say(`left out, because it also fails without a mutation: ${test}: ${why}`)
    return kind === 'passed'
  })
  passes.set(test, running)
  return running
}

const modelProgram = 'model/run.ts'

function modelRun({ modelMinutes, seed }: Judge): { args: string[]; env: NodeJS.ProcessEnv } {
  if (existsSync(join(root, modelProgram)))
    return { args: [modelProgram, '--minutes', String(modelMinutes), '--seed', String(seed)], env: {} }
  return {
    args: ['test/stories/money-model.test.ts'],
    env: { TOLLGATE_MODEL_SEED: String(seed), TOLLGATE_MODEL_STEPS: String(150 * modelMinutes) },
  }
}
