// An input is a few named texts. One shape for all targets: one corpus, one set of mutations, one file to replay.
import type { Random } from '../test/harness/random.ts'

/** Texts may hold marks such as `{{merNo}}`: what belongs to one gateway only, filled in when the input is run. */
export type Input = Readonly<Record<string, string>>

export type Result = {
  /** True if the input was accepted as valid. Every seed must be. */
  readonly accepted: boolean
  /** The rule that the input broke, in words; undefined when all is well. */
  readonly problem?: string | undefined
  /** The answer's text, for people. */
  readonly answer?: string
}

export type Target = {
  readonly name: string
  /** The process whose coverage shows what an input reached. */
  readonly runsIn: 'gateway' | 'fuzzer'
  /** Inputs under way at the same time. */
  readonly atOnce: number
  /** Inputs between two looks at the coverage. */
  readonly batch: number
  /** Valid inputs. Each is run once, unchanged, before the first mutation. */
  readonly seeds: readonly Input[]
  mutate(input: Input, random: Random, other: Input): Input
  run(input: Input): Promise<Result>
  close?(): Promise<void>
}

export const fine: Result = { accepted: true }

export function bytesOf(input: Input): number {
  return Object.values(input).reduce((sum, text) => sum + text.length, 0)
}
