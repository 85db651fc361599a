import { parseArgs } from 'node:util'
import { nearest } from '../../platform/base/nearest.ts'
import { type Command, type CommandGroup, type Given, type Option, optionsOf, UsageError } from './command.ts'
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
  throw unknownCommand(commands, args)
}

/**
 * Returns an error that suggests the intended command. Most wrong commands are typing errors, for which a list of all
 * commands would be too long.
 */
function unknownCommand(commands: readonly Command[], [first, second]: readonly string[]): UsageError {
  if (first === undefined) return new UsageError('name a command', 'all')
  const names = commands.map(({ name }) => name.split(' '))
  const ofFirst = names.flatMap(([word, next]) => (word === first && next !== undefined ? [next] : []))
  if (ofFirst.length === 0) {
    const meant = nearestTo(
      first,
      names.map(([word = '']) => word),
    )
    return noCommand(first, meant ?? `To list all commands, run ${call} --help`)
  }
  const all = `Commands of ${first}: ${ofFirst.join(', ')}.`
  if (second === undefined || second.startsWith('-')) return noCommand(first, all)
  return noCommand(`${first} ${second}`, nearestTo(second, ofFirst, `${first} `) ?? all)
}

function noCommand(typed: string, advice: string): UsageError {
  return new UsageError(`There is no command "${typed}". ${advice}`, 'none')
}

/** Returns a question that suggests the nearest known name. Undefined if all known names are too different. */
export function nearestTo(typed: string, known: readonly string[], before = ''): string | undefined {
  const meant = nearest(typed, known, Math.max(1, Math.floor(typed.length / 4)))
  return meant === undefined ? undefined : `Did you mean "${before}${meant}"?`
}

export function parseCall(command: Command, args: readonly string[]): Parsed {
  const { values, positionals } = parseOrExplain(command, args)
  for (const [name, option] of Object.entries(command.options)) {
    if (option.required && values[name] === undefined) throw new UsageError(`--${name} is missing`, command)
  }
  const [argument, ...more] = positionals
  const needsArgument = command.argument !== undefined && !command.argument.startsWith('[')
  if (needsArgument && argument === undefined) throw new UsageError(`${command.argument} is missing`, command)
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
  const config = { args: [...args], options: Object.fromEntries(options), allowPositionals: true } as const
  try {
    return parseArgs(config)
  } catch (error) {
    const { tokens } = parseArgs({ ...config, strict: false, tokens: true })
    const wrong = tokens.find((token) => token.kind === 'option' && !(token.name in config.options))
    if (wrong?.kind === 'option') throw unknownOption(command, wrong.rawName, Object.keys(config.options))
    // If all options are known, parseArgs throws only because a value is missing or not allowed. The message of the
    // error names the option.
    throw new UsageError(error instanceof Error ? error.message : String(error), command)
  }
}

function unknownOption(command: Command, typed: string, known: readonly string[]): UsageError {
  const meant = nearestTo(typed.replace(/^-+/, ''), known, '--')
  const message = `There is no option "${typed}" of ${command.name}.`
  return meant === undefined
    ? new UsageError(message, command)
    : new UsageError(`${message} ${meant}`, 'none')
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

export function usageOfAll(groups: readonly CommandGroup[]): string {
  const rows = groups.flatMap(({ commands }) =>
    commands.map((command) => [`  ${nameAndArgument(command)}`, command.summary]),
  )
  const lines = columns(rows).split('\n')
  const listed = groups.flatMap(({ title, commands }) => ['', title, ...lines.splice(0, commands.length)])
  return [
    `Usage: ${call} COMMAND … [--json]`,
    ...listed,
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
