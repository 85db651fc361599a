// Runs the operator's commands in the test's own process, because starting the program takes half a second of processor
// time. command-process.ts starts the real program.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { runCli } from '../../src/operator/cli/cli.ts'
import { readConfig } from '../../src/platform/config/config.ts'

export type Operator = {
  /** Runs a command that must succeed, and returns the document that it printed. */
  run(...args: readonly string[]): Promise<Record<string, unknown>>
  /** Runs a command that must be refused, and returns the reason. */
  refused(...args: readonly string[]): Promise<string>
  /** Runs a command that may succeed or fail. */
  attempt(...args: readonly string[]): Promise<Ran>
}

export type Ran = { readonly status: number; readonly stdout: string; readonly stderr: string }

type Env = Readonly<Record<string, string>>

/** Runs a command with the settings of `env` alone. */
export async function runTollgate(args: readonly string[], env: Env): Promise<Ran> {
  const stdout = collect()
  const stderr = collect()
  const status = await runCli(args, { env, stdout: stdout.stream, stderr: stderr.stream })
  return { status, stdout: stdout.text(), stderr: stderr.text() }
}

/** Creates the master key of a sandbox, as the sandbox's first start does. */
export function giveMasterKey(dataDir: string): void {
  readConfig({ TOLLGATE_DATA_DIR: dataDir })
}

export type OperatorSettings = {
  readonly databaseUrl: string
  readonly dataDir: string
  /** The master key; by default the one in the data folder. */
  readonly masterKey?: string
}

export function operatorAt({ databaseUrl, dataDir, masterKey }: OperatorSettings): Operator {
  // Only a gateway creates a key, and not every test starts a gateway.
  if (masterKey === undefined) giveMasterKey(dataDir)
  const key = masterKey === undefined ? {} : { TOLLGATE_MASTER_KEY: masterKey }
  const env = { DATABASE_URL: databaseUrl, TOLLGATE_DATA_DIR: dataDir, ...key }
  const attempt = (...args: readonly string[]) => runTollgate([...args, '--json'], env)
  const call = async (args: readonly string[], wanted: number) => {
    const { status, stdout, stderr } = await attempt(...args)
    assert.equal(status, wanted, `${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }
  return {
    run: (...args) => call(args, 0),
    refused: async (...args) => String((await call(args, 1)).error),
    attempt,
  }
}

function collect(): { readonly stream: Writable; text(): string } {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream, text: () => text }
}
