// An input is a few named texts. All targets use this form, so they share the mutations and the format of finds.
import type { Random } from '../test/harness/random.ts'

/**
 * Texts may contain marks such as `{{merNo}}` for values of a single gateway. The marks are filled in when the input is
 * run.
 */
export type Input = Readonly<Record<string, string>>

export type Result = {
  /** True if the input was accepted as valid. Every seed must be. */
  readonly accepted: boolean
  /** The rule that the input broke, in words; undefined if there is no problem. */
  readonly problem?: string | undefined
  /** The answer's text, for people. */
  readonly answer?: string
}

export type Target = {
  readonly name: string
  /** The process whose coverage shows what an input reached. */
  readonly runsIn: 'gateway' | 'fuzzer'
  /** The number of inputs under way at the same time. */
  readonly atOnce: number
  /** The number of inputs after which the coverage is read. */
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
