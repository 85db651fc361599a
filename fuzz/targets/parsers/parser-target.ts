// A target that calls functions of src in this process, which is much faster than over HTTP.
import { CsvError } from '../../../src/platform/base/csv.ts'
import { OperatorRefusal, Refusal } from '../../../src/platform/errors/catalogue.ts'
import type { Input, Result, Target } from '../../input.ts'
import { mutateParts } from '../../mutations/mutate.ts'

export type Parser = {
  readonly name: string
  readonly seeds: readonly Input[]
  /** True if the input is valid. Throws a refusal for an invalid input, and any other error for a bug. */
  readonly parse: (input: Input) => boolean | Promise<boolean>
  readonly batch?: number
}

const SLOW_MS = 1_000

export function parserTarget({ name, seeds, parse, batch = 8_192 }: Parser): Target {
  const [first = {}] = seeds
  return {
    name,
    runsIn: 'fuzzer',
    atOnce: 1,
    batch,
    seeds,
    mutate: mutateParts(Object.keys(first)),
    async run(input): Promise<Result> {
      const startedMs = performance.now()
      try {
        const parsed = parse(input)
        const accepted = parsed instanceof Promise ? await parsed : parsed
        const ms = performance.now() - startedMs
        return { accepted, problem: ms > SLOW_MS ? `answered after ${Math.round(ms)} ms` : undefined }
      } catch (error) {
        return {
          accepted: false,
          problem: isRefusal(error) ? undefined : sentenceOf(error),
          answer: String(error),
        }
      }
    },
  }
}

function isRefusal(error: unknown): boolean {
  return [Refusal, OperatorRefusal, CsvError].some((refusal) => error instanceof refusal)
}

/** Returns the error and the first place of src in its stack. */
export function sentenceOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const place = /\/(src\/\S+?\.ts:\d+)/.exec(stack)?.[1] ?? ''
  return `threw ${error} ${place}`.trim()
}
