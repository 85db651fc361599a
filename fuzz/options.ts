// The command line of a run.
import { parseArgs } from 'node:util'
import { whole } from '../bench/options.ts'

export type Options = {
  readonly seconds: number
  readonly seed: number
  /** The run uses only targets whose name contains this text. */
  readonly target: string
  /** The file of a find. The run then only repeats this find. */
  readonly replay: string | undefined
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '1' },
      seed: { type: 'string' },
      target: { type: 'string', default: '' },
      replay: { type: 'string' },
    },
  })
  const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000_000))
  return {
    seconds: 60 * whole('minutes', values.minutes, 1, 10_000),
    seed: whole('seed', seed, 0, 999_999_999),
    target: values.target,
    replay: values.replay,
  }
}
