import { parseArgs } from 'node:util'
import { whole } from '../options.ts'
import { attacks } from './attacks.ts'

export type Options = {
  readonly rounds: number
  readonly sliceSeconds: number
  readonly attacks: readonly string[]
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  })
  const { quick, only } = values
  return {
    rounds: whole('rounds', values.rounds ?? '1', 1, 1000),
    sliceSeconds: whole('seconds', values.seconds ?? (quick ? '1' : '2'), 1, 60),
    attacks: Object.keys(attacks).filter((name) => name.includes(only)),
  }
}
