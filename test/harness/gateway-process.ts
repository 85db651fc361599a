// Real gateways for the stories. Each gateway is a process, called over HTTP and stopped by signals. An installation
// outlives its processes: it has a data folder, a port, and the database of DATABASE_URL or the embedded one in the
// folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { giveSandboxKeys } from '../builders/rsa-keys.ts'
import { type Account, readDemoAccount } from './client.ts'
import { eventually } from './eventually.ts'

export type Installation = {
  readonly dataDir: string
  /** Returns the output of the installation's gateways so far. */
  output(): string
  /** Starts a gateway, and resolves once it is ready. Every gateway after the first needs its own port. */
  start(settings?: Settings): Promise<GatewayProcess>
  /** Returns the process id of the embedded server, if it runs. */
  serverPid(): number | undefined
  /** Returns the data directory of the embedded server. */
  clusterDir(): string
  /** Kills everything that still runs, and removes the folder. */
  remove(): Promise<void>
}

export type GatewayProcess = {
  readonly pid: number
  /** The demo merchant at this gateway. */
  readonly account: Account
  /** Sends the signal, waits for the end, and returns the exit status. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<number | null>
  /** Kills the gateway with SIGKILL. */
  kill(): Promise<void>
}

type Settings = Readonly<Record<string, string>>

/** The compile cache, for programs that get only chosen settings. Compiled modules save a second per start. */
export const compileCache = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

const pathOf = (program: string) => fileURLToPath(new URL(`../../${program}`, import.meta.url))
const READY_WITHIN_MS = 180_000

export async function openInstallation(settings: Settings = {}): Promise<Installation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-story-'))
  // If the user is root, the embedded server runs as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o711)
  giveSandboxKeys(dataDir)
  const own = { PORT: String(await freePort()), TOLLGATE_DATA_DIR: dataDir, ...settings }
  const children: ChildProcess[] = []
  let printed = ''
  const clusterDir = () => {
    const pointer = join(dataDir, 'postgres.location')
    return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(dataDir, 'postgres')
  }
  const installation: Installation = {
    dataDir,
    output: () => printed,
    async start(more = {}) {
      const env = { ...own, ...more }
      const child = launch(env)
      children.push(child)
      await untilReady(child, (text) => {
        printed += text
      })
      const account = { ...readDemoAccount(dataDir), baseUrl: `http://127.0.0.1:${env.PORT}` }
      return { pid: child.pid ?? 0, account, ...ending(child) }
    },
    serverPid: () => runningServer(clusterDir()),
    clusterDir,
    async remove() {
      await Promise.all(children.map((child) => ending(child).kill()))
      await killServer(installation)
      rmSync(clusterDir(), { recursive: true, force: true })
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return installation
}

export type LiveProcess = Pick<GatewayProcess, 'stop'>

/** Starts a gateway in live mode, which has no demo merchant. */
export async function startLive(settings: Settings): Promise<LiveProcess> {
  const child = launch(settings)
  await untilReady(child, () => {})
  return ending(child)
}

export type SandboxProcess = LiveProcess & { output(): string }

/** Starts the program of `npm run sandbox`. */
export async function startSandboxProcess(settings: Settings): Promise<SandboxProcess> {
  const child = launch(settings, 'sandbox/main.ts')
  let printed = ''
  await untilReady(child, (text) => {
    printed += text
  })
  return { ...ending(child), output: () => printed }
}

/** Starts a program without the settings of the test run, except the switch of fast paths and the compile cache. */
function launch(settings: Settings, program = 'src/gateway/main.ts'): ChildProcess {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(TOLLGATE_(?!FAST_PATHS$)|DATABASE_URL|PORT|HOST|NODE_(?!COMPILE_CACHE))/.test(name),
  )
  const child = spawn(process.execPath, [pathOf(program)], {
    env: { ...Object.fromEntries(kept), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  launched.push(child)
  return child
}

// A test file that exits kills its gateways.
const launched: ChildProcess[] = []
process.once('exit', () => {
  for (const child of launched) child.kill('SIGKILL')
})

async function untilReady(child: ChildProcess, onOutput: (text: string) => void): Promise<void> {
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        onOutput(text)
        output += text
        if (/^ready/m.test(output)) resolve()
      })
    }
    child.once('exit', (code) =>
      reject(new Error(`the program ended with ${code} before it was ready:\n${output}`)),
    )
    setTimeout(
      () => reject(new Error(`the program was not ready in time:\n${output}`)),
      READY_WITHIN_MS,
    ).unref()
  })
  await ready
}

function ending(child: ChildProcess): Pick<GatewayProcess, 'stop' | 'kill'> {
  const end = async (signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => {
    if (child.exitCode === null && child.signalCode === null) {
      const closed = once(child, 'close')
      child.kill(signal)
      await closed
    }
    return child.exitCode
  }
  return { stop: (signal = 'SIGTERM') => end(signal), kill: async () => void (await end('SIGKILL')) }
}

function runningServer(clusterDir: string): number | undefined {
  const lock = join(clusterDir, 'postmaster.pid')
  if (!existsSync(lock)) return undefined
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10)
  return isServer(pid, clusterDir) ? pid : undefined
}

/**
 * True if the process is the server. The process id alone proves nothing, because another program may have it by now. A
 * zombie has no command line.
 */
function isServer(pid: number, clusterDir: string): boolean {
  const command = `/proc/${pid}/cmdline`
  if (process.platform === 'linux')
    return existsSync(command) && readFileSync(command, 'utf8').includes(clusterDir)
  return isAlive(pid)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Kills the embedded server, like a power failure. */
export async function killServer(installation: Installation): Promise<void> {
  const pid = installation.serverPid()
  if (pid === undefined) return
  process.kill(pid, 'SIGKILL')
  await eventually(() => installation.serverPid() === undefined)
}

/** Returns a free port below the ephemeral ports of outgoing connections, so that it stays free until it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const probe = createServer()
    const free = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
}
