// Commands as processes of their own, as in a shell. Most tests run commands in their own process: see operator.ts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { eventually } from './eventually.ts'
import { compileCache } from './gateway-process.ts'
import type { Ran } from './operator.ts'

export type Listening = {
  stdout(): string
  stderr(): string
  /** Presses Ctrl-C, waits for the end, and returns the exit status. */
  interrupt(): Promise<number | null>
}

type Env = Readonly<Record<string, string>>

const cli = fileURLToPath(new URL('../../src/operator/cli/cli.ts', import.meta.url))

/** Runs a command with the settings of `env` alone. */
export async function runCommand(args: readonly string[], env: Env): Promise<Ran> {
  const command = start(args, env)
  const [status] = await command.closed
  return { status: Number(status), stdout: command.stdout(), stderr: command.stderr() }
}

/** Starts `listen`, and waits until it listens. */
export async function startListen(args: readonly string[], env: Env): Promise<Listening> {
  const { child, closed, stdout, stderr } = start(['listen', ...args], env)
  assert.ok(await eventually(() => stderr().includes('Press Ctrl-C to stop')), stderr())
  return {
    stdout,
    stderr,
    async interrupt() {
      child.kill('SIGINT')
      await closed
      return child.exitCode
    },
  }
}

function start(args: readonly string[], env: Env) {
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH, ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  return { child, closed: once(child, 'close'), stdout: () => said.stdout, stderr: () => said.stderr }
}
