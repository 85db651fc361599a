import { parseArgs } from 'node:util'
import { whole } from '../options.ts'

export type Options = {
  readonly rounds: number
  readonly sliceSeconds: number
  /** The number of pending rows in the full outbox. */
  readonly pending: number
  readonly peers: boolean
  /** The folder for Node's profile of the delivering process. */
  readonly profileTo: string | undefined
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      pending: { type: 'string' },
      'without-peers': { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  })
  const { quick } = values
  return {
    rounds: whole('rounds', values.rounds ?? (quick ? '2' : '5'), 1, 1000),
    sliceSeconds: whole('seconds', values.seconds ?? (quick ? '2' : '3'), 1, 600),
    pending: whole('pending', values.pending ?? (quick ? '100000' : '1000000'), 0, 10_000_000),
    peers: !values['without-peers'],
    profileTo: values.profile,
  }
}
