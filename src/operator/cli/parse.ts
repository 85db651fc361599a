import { parseArgs } from 'node:util'
import { type Command, type Given, optionsOf, UsageError } from './command.ts'

export type Parsed = { readonly argument: string; readonly given: Given }

/** The command that the first one or two words name, and the remaining arguments. */
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

/** The words up to the first option. */
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
  if (command.argument !== undefined && argument === undefined) {
    throw new UsageError(`${command.argument} is missing`, command)
  }
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
    // Node's message names the option. parseArgs throws nothing else.
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
