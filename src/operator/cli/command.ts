// A command is a name, its options and the use case that it calls. Parsing, help and printing are shared.
import type { Clock } from '../../platform/base/clock.ts'
import { merNoOf } from '../../platform/base/id.ts'
import type { Vault } from '../../platform/base/secret.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/postgres/db.ts'

export type Option = {
  readonly help: string
  /** The placeholder of the value in the help; absent for a flag without a value. */
  readonly value?: string
  readonly multiple?: true
  readonly required?: true
}

export type Command = {
  /** The name, of one or two words. */
  readonly name: string
  /** The name of the command's argument, if it takes one. */
  readonly argument?: string
  readonly summary: string
  readonly options: Readonly<Record<string, Option>>
  /**
   * Set for a command that changes something: returns the changed object. The command's first transaction then also
   * writes a line of the audit log, and the command takes --why. `made` is the value that the transaction returned.
   */
  readonly audit?: (call: Pick<Call, 'argument' | 'given'>, made: unknown) => Audited
  run(call: Call): Promise<Result>
}

export type Audited = {
  /** The number of the merchant that the change concerns, or 0 for the platform. */
  readonly merNo: number
  /** The object that was changed. */
  readonly subject: string
}

const why: Option = { value: 'TEXT', help: 'the reason, for the audit log' }

/** Returns the command's own options, and --why if the command changes something. */
export function optionsOf({ options, audit }: Command): Command['options'] {
  return audit === undefined ? options : { ...options, why }
}

/** Returns the audited object of a command about one object with an id, such as an order, a refund or a file. */
export function auditId(id: string): Audited {
  return { merNo: merNoOf(id) ?? 0, subject: id }
}

export type Call = {
  readonly argument: string
  readonly given: Given
  readonly tools: Tools
}

/** The options as they were typed. */
export type Given = {
  text(name: string): string | undefined
  texts(name: string): readonly string[] | undefined
  flag(name: string): boolean
  /** All typed options, by name. */
  readonly all: Readonly<Record<string, unknown>>
}

/** The tools of a command. Each is opened on first use: `sign --key` needs no database. */
export type Tools = {
  readonly clock: Clock
  config(): Config
  /** Throws if the database was encrypted with another key: no gateway could decrypt what this vault encrypts. */
  vault(): Promise<Vault>
  database(): Promise<Db>
  /** Returns tools with other settings, for a command about another database. */
  at(env: Readonly<Record<string, string>>): Pick<Tools, 'database' | 'vault'>
  /** With --json, standard output is one document, so only streams (one document per line) may call `print`. */
  readonly asJson: boolean
  /** Writes part of a long result to standard output, and waits while the reader is slow. */
  print(text: string): Promise<void>
  /** Writes a line to standard error. */
  say(line: string): void
}

export type Result = {
  /** The result that is printed with --json. */
  readonly json: unknown
  /** The result that is printed without --json, unless it is empty. */
  readonly text: string
  /** The exit status. 1 means that the command ran and found a problem. */
  readonly status?: 0 | 1
}

/** Thrown for a wrong command, argument or option. The usage text is printed after the message. */
export class UsageError extends Error {
  readonly command: Command | undefined
  constructor(message: string, command?: Command) {
    super(message)
    this.command = command
  }
}
