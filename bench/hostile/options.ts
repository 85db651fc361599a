import { parseArgs } from 'node:util'
import { whole } from '../options.ts'
import { type AttackName, attackNames } from './attacks/all.ts'

export type Options = {
  readonly rounds: number
  readonly sliceSeconds: number
  readonly attacks: readonly AttackName[]
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
    rounds: whole('rounds', values.rounds ?? (quick ? '1' : '3'), 1, 1000),
    sliceSeconds: whole('seconds', values.seconds ?? (quick ? '3' : '5'), 1, 60),
    attacks: attackNames.filter((name) => name.includes(only)),
  }
}
