import { parseArgs } from 'node:util'
import { type Command, type Given, type Option, optionsOf, UsageError } from './command.ts'
import { columns } from './shared/print.ts'

type Parsed = { readonly argument: string; readonly given: Given }

/** Returns the command that the first words name, and the remaining arguments. */
export function findCommand(
  commands: readonly Command[],
  args: readonly string[],
): { command: Command; rest: string[] } {
  for (const command of commands) {
    const words = command.name.split(' ')
    if (words.every((word, at) => args[at] === word)) return { command, rest: args.slice(words.length) }
  }
  const [first] = args
  throw new UsageError(first === undefined ? 'name a command' : `there is no command ${namedIn(args)}`)
}

function namedIn(args: readonly string[]): string {
  const end = args.findIndex((arg) => arg.startsWith('-'))
  const words = args.slice(0, end < 0 ? 2 : Math.min(end, 2))
  return words.length === 0 ? (args[0] ?? '') : words.join(' ')
}

export function parseCall(command: Command, args: readonly string[]): Parsed {
  const { values, positionals } = parseOrExplain(command, args)
  for (const [name, option] of Object.entries(command.options)) {
    if (option.required && values[name] === undefined) throw new UsageError(`--${name} is missing`, command)
  }
  const [argument, ...more] = positionals
  if (command.argument !== undefined && argument === undefined)
    throw new UsageError(`${command.argument} is missing`, command)
  const extra = command.argument === undefined ? argument : more[0]
  if (extra !== undefined) throw new UsageError(`unexpected argument ${extra}`, command)
  return { argument: argument ?? '', given: toGiven(values) }
}

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

function parseOrExplain(
  command: Command,
  args: readonly string[],
): { values: Values; positionals: readonly string[] } {
  const options = Object.entries(optionsOf(command)).map(([name, option]) => [
    name,
    { type: option.value === undefined ? 'boolean' : 'string', multiple: option.multiple === true } as const,
  ])
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries(options), allowPositionals: true })
  } catch (error) {
    // parseArgs throws only for wrong options. Its message names the option.
    throw new UsageError(error instanceof Error ? error.message : String(error), command)
  }
}

function toGiven(values: Values): Given {
  return {
    text(name) {
      const value = values[name]
      return typeof value === 'string' ? value : undefined
    },
    texts(name) {
      const value = values[name]
      return Array.isArray(value) ? value.map(String) : undefined
    },
    flag: (name) => values[name] === true,
    all: { ...values },
  }
}

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
