// Draws sequences of steps, plays them, and shrinks a failing sequence to the shortest sequence that still fails.
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Gateway } from './gateway.ts'
import type { Step } from './operation.ts'
import { operations } from './operations.ts'
import { openModel } from './play.ts'
import type { Model } from './rules/facts.ts'
import { STEPS } from './steps.ts'

type Opened = Awaited<ReturnType<typeof openModel>>

class Command implements fc.AsyncCommand<Model, Opened> {
  readonly step: Step
  constructor(step: Step) {
    this.step = step
  }

  check(model: Readonly<Model>): boolean {
    return this.step.isPossible(model)
  }

  async run(_model: Model, opened: Opened): Promise<void> {
    await opened.take(this.step)
  }

  toString(): string {
    return `  ${this.step.text},\n`
  }
}

function drawn(only: readonly string[]) {
  const some = only.length === 0 ? operations : operations.filter(({ name }) => only.includes(name))
  return fc.oneof(
    ...some.map(({ weight, steps }) => ({ weight, arbitrary: steps.map((step) => new Command(step)) })),
  )
}

export type Wanted = {
  /** The seed of the first sequence. The next sequence has the next number. */
  readonly seed: number
  /** The most steps of a sequence. Each sequence has a random length up to this number. */
  readonly steps: number
  readonly sequences?: number
  /** The names of the operations that are drawn. If the list is empty or missing, all operations are drawn. */
  readonly only?: readonly string[]
  /** No sequence begins after this time. */
  readonly endMs: number
}

export type Checked = {
  readonly sequences: number
  readonly steps: number
  readonly counts: ReadonlyMap<string, number>
  /**
   * A text for people: the error, a test to paste, and the command that repeats the failure. Undefined if everything
   * agreed.
   */
  readonly failure: string | undefined
}

const SHRINK_MS = 180_000

/** Plays sequences until a sequence fails, the wanted number is reached, or the time is over. */
export async function check({
  seed,
  steps: most,
  sequences: wanted,
  only = [],
  endMs,
}: Wanted): Promise<Checked> {
  const counts = new Map<string, number>()
  let [sequences, steps] = [0, 0]
  const property = propertyOf({ most, only }, (gateway) => {
    steps += addCounts(counts, gateway)
  })
  // With its default bias, fast-check would draw mostly short sequences.
  const options = { unbiased: true, numRuns: 1, interruptAfterTimeLimit: SHRINK_MS }
  for (; sequences < (wanted ?? Number.POSITIVE_INFINITY) && Date.now() < endMs; sequences++) {
    const result = await fc.check(property, { ...options, seed: seed + sequences })
    if (result.failed)
      return { sequences, steps, counts, failure: textOf(result, seed + sequences, { most, only }) }
  }
  return { sequences, steps, counts, failure: undefined }
}

/**
 * Plays sequences until a sequence fails, and returns its error without shrinking the sequence. Returns undefined if
 * everything agreed.
 */
export async function firstDifference({ seed, steps, only = [], endMs }: Wanted): Promise<unknown> {
  const property = propertyOf({ most: steps, only }, () => {})
  for (let next = seed; Date.now() < endMs; next++) {
    const result = await fc.check(property, { unbiased: true, numRuns: 1, seed: next, endOnFailure: true })
    if (result.failed) return result.errorInstance
  }
  return undefined
}

type Drawn = { readonly most: number; readonly only: readonly string[] }

function propertyOf({ most, only }: Drawn, played: (gateway: Gateway) => void) {
  return fc.asyncProperty(
    fc.commands([drawn(only)], { maxCommands: most, size: 'max' }),
    async (commands) => {
      const opened = await openModel()
      try {
        await fc.asyncModelRun(() => ({ model: opened.model, real: opened }), commands)
        await opened.verify()
      } finally {
        played(opened.gateway)
        await opened.close()
      }
    },
  )
}

function addCounts(counts: Map<string, number>, { counts: added }: Gateway): number {
  let steps = 0
  for (const [what, many] of added) {
    counts.set(what, (counts.get(what) ?? 0) + many)
    if (operations.some(({ name }) => name === what)) steps += many
  }
  return steps
}

function textOf(
  result: fc.RunDetails<[Iterable<fc.AsyncCommand<Model, Opened>>]>,
  seed: number,
  { most, only }: Drawn,
): string {
  const { counterexample, errorInstance, numShrinks } = result
  const steps = counterexample === null ? '' : String(counterexample[0]).replace(/\/\*replayPath=.*?\*\//, '')
  const names = new Set([...steps.matchAll(/^\s*,?\s*(\w+)\.step/gm)].map(([, name = '']) => name))
  const error =
    errorInstance instanceof Error ? (errorInstance.stack ?? errorInstance.message) : String(errorInstance)
  return [
    error,
    '',
    `The shortest sequence that fails, after ${numShrinks} attempts to shorten it, as a test:`,
    '',
    ...importsOf(names),
    "test('money is where the rules say', () => play([",
    steps.replace(/,\n,/g, ',\n').trimEnd(),
    ']))',
    '',
    'To find it again:',
    `  npm run model -- --seed ${seed} --sequences 1${most === STEPS ? '' : ` --steps ${most}`}${
      only.length === 0 ? '' : ` --only ${only.join()}`
    }`,
  ].join('\n')
}

/** Returns the import lines of the test that a failure prints. */
function importsOf(names: ReadonlySet<string>): string[] {
  const folder = new URL('operations/', import.meta.url)
  const files = readdirSync(folder).map((file) => {
    const made = readFileSync(new URL(file, folder), 'utf8').matchAll(/^export const (\w+) = operation\(/gm)
    const own = [...made].map(([, name = '']) => name).filter((name) => names.has(name))
    return own.length === 0 ? [] : [`import { ${own.join(', ')} } from '../../model/operations/${file}'`]
  })
  return [...files.flat(), "import { play } from '../../model/play.ts'"]
}
