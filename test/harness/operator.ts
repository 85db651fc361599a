// Runs the operator's commands in the test's own process, because starting the program takes half a second of processor time.
// src/main.test.ts and src/cli/listen.test.ts start the real program.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { runCli } from '../src/cli.ts'

export type Operator = {
  /** The call must succeed; returns the document that it printed. */
  run(...args: readonly string[]): Promise<Record<string, unknown>>
  /** The call must be refused; returns the reason. */
  refused(...args: readonly string[]): Promise<string>
  /** However the call ends. */
  attempt(...args: readonly string[]): Promise<Ran>
}

export type Ran = { readonly status: number; readonly stdout: string; readonly stderr: string }

type Env = Readonly<Record<string, string>>

/** The settings come from `env` alone. */
export async function runTollgate(args: readonly string[], env: Env): Promise<Ran> {
  const stdout = collect()
  const stderr = collect()
  const status = await runCli(args, { env, stdout: stdout.stream, stderr: stderr.stream })
  return { status, stdout: stdout.text(), stderr: stderr.text() }
}

export type OperatorSettings = {
  readonly databaseUrl: string
  readonly dataDir: string
  /** Unset: the one in the data folder. */
  readonly masterKey?: string
}

export function operatorAt({ databaseUrl, dataDir, masterKey }: OperatorSettings): Operator {
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
