// Runs the operator's commands in the process of the test; captures their result and standard error.
import assert from 'node:assert/strict'
import { systemClock } from '../src/base/clock.ts'
import { openVault } from '../src/base/secret.ts'
import type { Command, Result, Tools } from '../src/cli/command.ts'
import { readConfig } from '../src/config.ts'
import type { Db } from '../src/postgres/db.ts'

type Options = Readonly<Record<string, string | readonly string[]>>

export type InProcess = {
  run(name: string, argument?: string, options?: Options): Promise<Result>
  /** The output since the last call. */
  said(): string[]
}

export function inProcess(commands: readonly Command[], db: Db): InProcess {
  const config = readConfig({ TOLLGATE_MASTER_KEY: '2'.repeat(64) })
  let lines: string[] = []
  const tools: Tools = {
    clock: systemClock,
    config: () => config,
    vault: async () => openVault(config.masterKey),
    database: async () => db,
    asJson: false,
    print: async () => {},
    say: (line) => void lines.push(line),
  }
  return {
    async run(name, argument = '', options = {}) {
      const command = commands.find((one) => one.name === name)
      assert.ok(command, `there is a command ${name}`)
      const given = {
        text: (option: string) => {
          const value = options[option]
          return typeof value === 'string' ? value : undefined
        },
        texts: (option: string) => {
          const value = options[option]
          return typeof value === 'object' ? value : undefined
        },
        flag: () => false,
      }
      return command.run({ argument, given, tools })
    },
    said() {
      const all = lines
      lines = []
      return all
    },
  }
}
