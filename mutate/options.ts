// The options of the command line.
import { parseArgs } from 'node:util'
import { whole } from '../bench/options.ts'

export type Options = {
  readonly sample: number
  readonly seed: number
  readonly jobs: number
  /** How many minutes the model runs for each mutant that survives the tests; 0 to run the tests alone. */
  readonly modelMinutes: number
  /** The folders or files that are mutated. */
  readonly folders: readonly string[]
  /** The names of the mutations to run; empty to draw a sample. */
  readonly only: readonly string[]
  readonly report: string
  /** True to print the sample without running it. */
  readonly list: boolean
}

/** The default folders: the code that decides about money. */
const deciding = ['src/money', 'src/rails/contract', 'src/rails/routing', 'src/rails/methods']

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sample: { type: 'string', default: '300' },
      seed: { type: 'string' },
      jobs: { type: 'string', default: '1' },
      'model-minutes': { type: 'string', default: '1' },
      in: { type: 'string', multiple: true, default: deciding },
      only: { type: 'string', multiple: true, default: [] },
      report: { type: 'string', default: 'mutate/report.md' },
      list: { type: 'boolean', default: false },
    },
  })
  const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000_000))
  return {
    sample: whole('sample', values.sample, 1, 1_000_000),
    seed: whole('seed', seed, 0, 999_999_999),
    jobs: whole('jobs', values.jobs, 1, 64),
    modelMinutes: whole('model-minutes', values['model-minutes'], 0, 60),
    folders: values.in,
    only: values.only,
    report: values.report,
    list: values.list,
  }
}
