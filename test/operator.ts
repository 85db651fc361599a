// The operator in the stories: the real command line, while the gateway runs.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export type Operator = {
  /** Runs a command that must succeed; returns the document that it printed. */
  run(...args: readonly string[]): Promise<Record<string, unknown>>
  /** Runs a command that must be refused; returns the reason. */
  refused(...args: readonly string[]): Promise<string>
}

const program = fileURLToPath(new URL('../src/cli.ts', import.meta.url))

export function operatorAt(settings: { readonly databaseUrl: string; readonly dataDir: string }): Operator {
  const { databaseUrl: DATABASE_URL, dataDir: TOLLGATE_DATA_DIR } = settings
  const call = async (args: readonly string[], status: number) => {
    const child = spawn(process.execPath, [program, ...args, '--json'], {
      env: { PATH: process.env.PATH, DATABASE_URL, TOLLGATE_DATA_DIR },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    const [ending, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    assert.equal(ending, status, `${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }
  return {
    run: (...args) => call(args, 0),
    refused: async (...args) => String((await call(args, 1)).error),
  }
}
