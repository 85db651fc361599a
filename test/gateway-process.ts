// Real gateways for the stories: each a process of its own, spoken to over HTTP and ended by signals. A place is what
// outlives them: a data folder, a port, and the database of DATABASE_URL or the embedded one in the folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Account, readDemoAccount } from './client.ts'
import { eventually } from './eventually.ts'

export type GatewayPlace = {
  readonly dataDir: string
  /** All that its gateways have printed so far. */
  output(): string
  /** Answers once the gateway is ready; a gateway after the first wants a port of its own. */
  start(settings?: Settings): Promise<GatewayProcess>
  /** The process id of the embedded server, while one runs. */
  serverPid(): number | undefined
  /** Where the embedded server keeps its files. */
  clusterDir(): string
  /** Ends whatever still runs, and removes the folder. */
  remove(): Promise<void>
}

export type GatewayProcess = {
  readonly pid: number
  /** The demo merchant, at this gateway. */
  readonly account: Account
  /** Asks it to end, and waits; its exit status. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<number | null>
  /** Ends it without a chance to do anything. */
  kill(): Promise<void>
}

type Settings = Readonly<Record<string, string>>

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const READY_WITHIN_MS = 180_000

export async function openPlace(settings: Settings = {}): Promise<GatewayPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-story-'))
  // As root the embedded server runs as another user, who must be able to pass through.
  chmodSync(dataDir, 0o711)
  const own = { PORT: String(await freePort()), TOLLGATE_DATA_DIR: dataDir, ...settings }
  const children: ChildProcess[] = []
  let printed = ''
  const clusterDir = () => {
    const pointer = join(dataDir, 'postgres.location')
    return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(dataDir, 'postgres')
  }
  const place: GatewayPlace = {
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
      await killServer(place)
      rmSync(clusterDir(), { recursive: true, force: true })
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return place
}

/** Without the settings of whoever runs the tests, fast paths apart; the cache of compiled files saves each start a second of work. */
function launch(settings: Settings): ChildProcess {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(TOLLGATE_(?!FAST_PATHS$)|DATABASE_URL|PORT|HOST|NODE_(?!COMPILE_CACHE))/.test(name),
  )
  const child = spawn(process.execPath, [program], {
    env: { ...Object.fromEntries(kept), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  launched.push(child)
  return child
}

// A test file that dies takes its gateways with it.
const launched: ChildProcess[] = []
process.once('exit', () => {
  for (const child of launched) child.kill('SIGKILL')
})

async function untilReady(child: ChildProcess, hear: (text: string) => void): Promise<void> {
  let heard = ''
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        hear(text)
        heard += text
        if (/^ready/m.test(heard)) resolve()
      })
    }
    child.once('exit', (code) =>
      reject(new Error(`the gateway ended with ${code} before it was ready:\n${heard}`)),
    )
    setTimeout(
      () => reject(new Error(`the gateway is not ready in time:\n${heard}`)),
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

/** A number alone proves nothing: it may be another program's by now. A zombie has no command. */
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

/** Ends the embedded server as a power cut would. */
export async function killServer(place: GatewayPlace): Promise<void> {
  const pid = place.serverPid()
  if (pid === undefined) return
  process.kill(pid, 'SIGKILL')
  await eventually(() => place.serverPid() === undefined)
}

/** Below the ports that systems give to outgoing connections: what is free now stays free until it is used. */
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
