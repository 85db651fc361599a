// A command has a name, options and the use case that it calls. All commands share parsing, help and printing.
import type { Clock } from '../../platform/base/clock.ts'
import { merNoOf } from '../../platform/base/id.ts'
import type { Vault } from '../../platform/base/secret.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/postgres/db.ts'

export type Option = {
  readonly help: string
  /** The placeholder of the value in the help. Missing for a flag. */
  readonly value?: string
  readonly multiple?: true
  readonly required?: true
}

export type Command = {
  /** The name, which is one or two words. */
  readonly name: string
  /**
   * The placeholder of the argument, if the command takes one. The placeholder of an optional argument is in brackets.
   */
  readonly argument?: string
  readonly summary: string
  readonly options: Readonly<Record<string, Option>>
  /**
   * Returns the object that the command changes. A command with `audit` takes --why, and writes a line of the audit log
   * in its first transaction. `made` is the result of that transaction.
   */
  readonly audit?: (call: Pick<Call, 'argument' | 'given'>, made: unknown) => Audited
  run(call: Call): Promise<Result>
}

export type CommandGroup = {
  readonly title: string
  readonly commands: readonly Command[]
}

export type Audited = {
  readonly merNo: number
  readonly subject: string
}

const why: Option = { value: 'TEXT', help: 'the reason, for the audit log' }

export function optionsOf({ options, audit }: Command): Command['options'] {
  return audit === undefined ? options : { ...options, why }
}

/** The audit data of a command about one object whose id contains the merchant, such as an order or a refund. */
export function auditId(id: string): Audited {
  return { merNo: merNoOf(id) ?? 0, subject: id }
}

export type Call = {
  readonly argument: string
  readonly given: Given
  readonly tools: Tools
}

export type Given = {
  text(name: string): string | undefined
  texts(name: string): readonly string[] | undefined
  flag(name: string): boolean
  readonly all: Readonly<Record<string, unknown>>
}

/** The tools of a command. Each tool is opened on first use: `sign --key` needs no database. */
export type Tools = {
  readonly clock: Clock
  config(): Config
  /**
   * Opens the vault. Throws if the database was encrypted with another key, because no gateway could decrypt what this
   * vault encrypts.
   */
  vault(): Promise<Vault>
  database(): Promise<Db>
  /** Returns tools that open another database. `env` overrides the caller's settings. */
  at(env: Readonly<Record<string, string>>): Pick<Tools, 'database' | 'vault'>
  /**
   * True with --json. Standard output is then one document. Only `listen` may then call `print`, with one document per
   * line.
   */
  readonly asJson: boolean
  /** Writes a part of a long result to standard output. Waits for a slow reader. */
  print(text: string): Promise<void>
  /** Writes a line to standard error. */
  say(line: string): void
}

export type Result = {
  /** The result that is printed with --json. */
  readonly json: unknown
  /** The text that is printed without --json. An empty text is not printed. */
  readonly text: string
  /** The exit status: 1 means that the command ran and found a problem. */
  readonly status?: 0 | 1
}

/** A wrong command, argument or option. `helpOn` selects the help that is printed after the message. */
export class UsageError extends Error {
  readonly helpOn: Command | 'all' | 'none'
  constructor(message: string, helpOn: Command | 'all' | 'none') {
    super(message)
    this.helpOn = helpOn
  }
}
