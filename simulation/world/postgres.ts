// The database server of a simulation: a cluster that is created once, and a server that can be killed, paused and
// started again. If the simulation runs as root, the cluster has its own file system, which the simulation can fill.
import { execFileSync } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Child, startChild } from '../../bench/child.ts'
import { ordinaryUser, reachableBinaries, serverEnv } from '../../src/platform/postgres/embedded/cluster.ts'
import { giveTo, type ServerUser } from '../../src/platform/postgres/embedded/files.ts'

export type Postgres = {
  /** The path of the server's Unix domain socket, to which the proxy of each node connects. */
  readonly socket: string
  readonly connection: pg.ClientConfig
  readonly url: string
  /** Undefined if the server has no file system of its own. */
  readonly disk: Disk | undefined
  isRunning(): boolean
  /** Starts the server unless it runs. */
  start(): Promise<void>
  /** Kills the server with SIGKILL. The machine keeps running. */
  kill(): Promise<void>
  /** Suspends all processes of the server until `resume` is called. */
  pause(): void
  resume(): void
  close(): Promise<void>
}

export type Disk = { fill(): void; free(): void }

const DATABASE = 'tollgate'
const DISK_MEGABYTES = 3_000
/** The maximum number of connections, which is low enough for the fault `noConnections` to take all of them. */
const MAX_CONNECTIONS = 100
const START_WITHIN_MS = 30_000

const settings = {
  listen_addresses: '',
  max_connections: String(MAX_CONNECTIONS),
  // Only processes are killed here, never the machine, so the operating system keeps all written data.
  fsync: 'off',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  // A check needs the time of a decision by the server's clock, because the gateways' clocks may be wrong.
  track_commit_timestamp: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_min_messages: 'warning',
}

export async function openPostgres(folder: string, say: (line: string) => void): Promise<Postgres> {
  const log = createWriteStream(join(folder, 'postgres.log'))
  const user = ordinaryUser()
  const bin = await reachableBinaries(user, say)
  const home = join(folder, 'pg')
  mkdirSync(home, { mode: 0o711 })
  const disk = openDisk(home)
  const dir = join(home, 'data')
  mkdirSync(dir, { mode: 0o700 })
  giveTo(user, dir)
  initdb(bin, dir, user)
  let server: Child | undefined
  let starting: Promise<void> | undefined

  const launch = async () => {
    if (server !== undefined) return
    const started = await startServer({ bin, dir, user, onOutput: (text) => log.write(text) })
    server = started
    started.ended.then(() => {
      if (server === started) server = undefined
    })
  }
  /** Starts the server. Several faults may call this function at once when they end, but only one start takes place. */
  const start = () => {
    starting ??= launch().finally(() => {
      starting = undefined
    })
    return starting
  }
  const processes = () => (server === undefined ? [] : [server.pid, ...childrenOf(server.pid)])
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of processes()) signalIfThere(pid, signal)
  }
  const kill = async () => {
    const killed = server
    // A suspended process would keep its shared memory, which would prevent the next start.
    signalAll('SIGCONT')
    signalAll('SIGKILL')
    await killed?.ended
  }
  await start()
  const admin = { host: dir, port: 5432, user: 'tollgate' }
  await administer({ ...admin, database: 'postgres' }, `create database ${DATABASE}`)
  return {
    socket: join(dir, '.s.PGSQL.5432'),
    connection: { ...admin, database: DATABASE },
    url: `postgresql://tollgate@/${DATABASE}?host=${encodeURIComponent(dir)}&port=5432`,
    disk,
    isRunning: () => server !== undefined,
    start,
    kill,
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async close() {
      await kill()
      if (disk !== undefined) execFileSync('umount', ['-l', home])
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function initdb(bin: string, dir: string, user: ServerUser): void {
  const options = ['-U', 'tollgate', '-A', 'trust', '--encoding=UTF8', '--locale=C', '--no-instructions']
  execFileSync(join(bin, 'initdb'), ['-D', dir, ...options], {
    ...user,
    cwd: dir,
    env: serverEnv(),
    stdio: 'ignore',
  })
}

type Cluster = {
  readonly bin: string
  readonly dir: string
  readonly user: ServerUser
  readonly onOutput: (text: string) => void
}

/** Repeats the start, which fails while the disk is full or processes of a killed server keep its memory. */
async function startServer(cluster: Cluster): Promise<Child> {
  const deadline = Date.now() + START_WITHIN_MS
  for (;;) {
    try {
      return await launchServer(cluster)
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(100)
    }
  }
}

async function launchServer({ bin, dir, user, onOutput }: Cluster): Promise<Child> {
  const flags = Object.entries({ ...settings, unix_socket_directories: dir })
  return await startChild({
    name: 'PostgreSQL',
    command: join(bin, 'postgres'),
    args: ['-D', dir, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    cwd: dir,
    env: { LC_ALL: 'C' },
    ready: /ready to accept connections/,
    user,
    onOutput,
  })
}

/**
 * Mounts a file system in memory. `fill` limits its size to little more than its current content. Returns undefined if
 * the file system cannot be mounted.
 */
function openDisk(folder: string): Disk | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const limit = (option: string) => execFileSync('mount', ['-o', `remount,size=${option}`, folder])
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m,mode=711`, 'tollgate', folder], {
      stdio: 'ignore',
    })
  } catch {
    return undefined
  }
  return {
    fill() {
      const [, line = ''] = execFileSync('df', ['-k', '--output=used', folder], { encoding: 'utf8' }).split(
        '\n',
      )
      limit(`${Number(line.trim()) + 64}k`)
    },
    free: () => void limit(`${DISK_MEGABYTES}m`),
  }
}

function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
}

function parentOf(pid: string): number {
  const file = `/proc/${pid}/stat`
  try {
    const stat = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}

async function administer(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(statement)
  await client.end()
}
