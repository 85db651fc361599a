// What a command is: a name, what it takes, and a use case to call. Parsing, help and printing are the same for all.
import type { Clock } from '../base/clock.ts'
import type { Vault } from '../base/secret.ts'
import type { Config } from '../config.ts'
import type { Db } from '../postgres/db.ts'

export type Option = {
  readonly help: string
  /** What stands for its value in the help; missing: it is a switch. */
  readonly value?: string
  readonly multiple?: true
  readonly required?: true
}

export type Command = {
  /** One word or two. */
  readonly name: string
  /** The name of its one argument, if it takes one. */
  readonly argument?: string
  readonly summary: string
  readonly options: Readonly<Record<string, Option>>
  run(call: Call): Promise<Result>
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
}

/** Made when first asked for: `sign` with a key of its own needs no database. */
export type Tools = {
  readonly clock: Clock
  config(): Config
  /** Refused with a master key other than the database's: what it sealed, no gateway could open. */
  vault(): Promise<Vault>
  database(): Promise<Db>
  /** With --json standard output is one document, and `print` is not for it; a stream prints one a line. */
  readonly asJson: boolean
  /** A part of a result that is too long to be held whole; waits until it was taken. */
  print(text: string): Promise<void>
  /** To standard error: standard output is the result's alone. */
  say(line: string): void
}

export type Result = {
  /** Printed with --json. */
  readonly json: unknown
  /** Printed without; nothing when it is empty. */
  readonly text: string
  /** 1: it ran, and what it found is not well. */
  readonly status?: 0 | 1
}

/** It was called in a way that it does not know: the usage follows. */
export class UsageError extends Error {
  readonly command: Command | undefined
  constructor(message: string, command?: Command) {
    super(message)
    this.command = command
  }
}
