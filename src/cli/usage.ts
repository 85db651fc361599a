import { type Command, type Option, optionsOf } from './command.ts'
import { columns } from './print.ts'

const call = 'npm run --silent tollgate --'

export function usageOfAll(commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  ${nameAndArgument(command)}`, command.summary])
  return [
    `Usage: ${call} COMMAND … [--json]`,
    '',
    columns(rows),
    '',
    'With --json the result is one JSON document. COMMAND --help lists its options.',
    'Exit status: 0 success, 1 refused or a problem found, 2 wrong usage.',
  ].join('\n')
}

export function usageOf(command: Command): string {
  const entries = Object.entries(optionsOf(command))
  const required = entries
    .filter(([, option]) => option.required)
    .map(([name, option]) => shown(name, option))
  const optional = entries.some(([, option]) => !option.required) ? ['[options]'] : []
  const rows = entries.map(([name, option]) => [`  ${shown(name, option)}`, option.help])
  const usage = ['Usage:', call, nameAndArgument(command), ...required, ...optional, '[--json]'].join(' ')
  return [usage, '', `${command.summary}.`, ...(rows.length === 0 ? [] : ['', columns(rows)])].join('\n')
}

function nameAndArgument(command: Command): string {
  return command.argument === undefined ? command.name : `${command.name} ${command.argument}`
}

function shown(name: string, { value, multiple }: Option): string {
  const one = value === undefined ? `--${name}` : `--${name} ${value}`
  return multiple ? `${one} …` : one
}
