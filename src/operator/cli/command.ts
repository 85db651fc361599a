// A command is a name, options and a use case to call. Parsing, help and printing are shared.
import type { Clock } from '../base/clock.ts'
import { merNoOf } from '../base/id.ts'
import type { Vault } from '../base/secret.ts'
import type { Config } from '../config.ts'
import type { Db } from '../postgres/db.ts'

export type Option = {
  readonly help: string
  /** Placeholder of the value in the help; absent for a flag without a value. */
  readonly value?: string
  readonly multiple?: true
  readonly required?: true
}

export type Command = {
  /** One or two words. */
  readonly name: string
  /** The name of its one argument, if it takes one. */
  readonly argument?: string
  readonly summary: string
  readonly options: Readonly<Record<string, Option>>
  /**
   * A command that changes something names what: then its first transaction also writes a line of the audit log, and it
   * takes --why. `made` is what that transaction returned.
   */
  readonly audit?: (call: Pick<Call, 'argument' | 'given'>, made: unknown) => Audited
  run(call: Call): Promise<Result>
}

export type Audited = {
  /** Whom the change concerns; 0 is the platform. */
  readonly merNo: number
  /** What was changed. */
  readonly subject: string
}

const why: Option = { value: 'TEXT', help: 'the reason, for the audit log' }

/** Its own options, and --why if it changes something. */
export function optionsOf({ options, audit }: Command): Command['options'] {
  return audit === undefined ? options : { ...options, why }
}

/** For commands about one order, refund, payout, notification or file: its id contains the merchant. */
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
  /** Everything that was typed, by name. */
  readonly all: Readonly<Record<string, unknown>>
}

/** Opened on first use: `sign --key` needs no database. */
export type Tools = {
  readonly clock: Clock
  config(): Config
  /** Throws if the master key is not the database's: no gateway could decrypt what it encrypts. */
  vault(): Promise<Vault>
  database(): Promise<Db>
  /** With --json, standard output is one document, so only streams (one document per line) may call `print`. */
  readonly asJson: boolean
  /** Writes part of a long result to standard output, and waits while the reader is slow. */
  print(text: string): Promise<void>
  /** Writes a line to standard error. */
  say(line: string): void
}

export type Result = {
  /** Printed with --json. */
  readonly json: unknown
  /** Printed without --json, unless it is empty. */
  readonly text: string
  /** 1: the command ran and found a problem. */
  readonly status?: 0 | 1
}

/** Wrong command, argument or option. The usage text is printed after the message. */
export class UsageError extends Error {
  readonly command: Command | undefined
  constructor(message: string, command?: Command) {
    super(message)
    this.command = command
  }
}
