// Starts the programs of a run. Each prints a line that begins with "ready", and is stopped by its handle.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type Child = {
  readonly pid: number
  /** The rest of the line that begins with "ready". */
  readonly readiness: string
  stop(): Promise<void>
  /** Sends a signal and does not wait. */
  signal(name: NodeJS.Signals): void
  /** Resolves when the program has ended, with or without an error. */
  readonly ended: Promise<void>
}

export type Program = {
  readonly name: string
  readonly command?: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly ready?: RegExp
  readonly readyWithinMs?: number
  readonly onOutput?: (text: string) => void
  /** The user that runs the program, if it is not the current one. */
  readonly user?: { readonly uid?: number; readonly gid?: number }
}

/**
 * Flags of Node for programs that stand for other people's machines. Such programs keep almost no data, so V8 would
 * leave their young generation at its smallest size. V8 would then collect it every few thousand requests, in several
 * threads on cores that the gateway and PostgreSQL need.
 */
export const leanFlags = ['--min-semi-space-size=16', '--single-threaded-gc']

const STOP_WITHIN_MS = 40_000
const TAIL = 2_000

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export async function startChild(program: Program): Promise<Child> {
  const child = spawn(program.command ?? process.execPath, program.args, {
    env: { ...outerSettings(), ...program.env },
    cwd: program.cwd,
    ...program.user,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const readiness = await untilReady(child, program)
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  return { pid: child.pid ?? 0, readiness, stop: () => stop(child), signal, ended }
}

/** The environment without a gateway's settings, because a run has its own. */
function outerSettings(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TOLLGATE_|DATABASE_URL$|PORT$|HOST$)/.test(name),
  )
  return Object.fromEntries(inherited)
}

function untilReady(child: ChildProcess, program: Program): Promise<string> {
  const { name, ready = /^ready:? *(.*)$/m, readyWithinMs = 60_000 } = program
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (what: string) => reject(new Error(`${name} ${what}:\n${output.slice(-TAIL)}`))
    const late = setTimeout(() => fail('was not ready in time'), readyWithinMs).unref()
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        program.onOutput?.(text)
        output = (output + text).slice(-10 * TAIL)
        const found = ready.exec(output)
        if (found === null) return
        clearTimeout(late)
        resolve(found[1] ?? '')
      })
    }
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code) => fail(`ended with ${code}`))
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  await closed
  clearTimeout(late)
}

export function programPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
