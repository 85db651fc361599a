// The real PgBouncer, from Debian's packages, in front of the database of a test.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ordinaryUser } from '../../src/platform/postgres/embedded/cluster.ts'
import { missingTool } from './debian-packages.ts'
import { eventually } from './eventually.ts'
import { freePort } from './gateway-process.ts'

export type PgBouncer = { readonly url: string; stop(): Promise<void> }

export type PoolerSettings = {
  readonly poolMode: string
  readonly poolSize: number
  /** True if idle servers are used in turn; otherwise the one used last comes first. */
  readonly inTurn?: boolean
}

/** Returns the reason why PgBouncer is not available. Undefined if PgBouncer is available. */
export function missingPgBouncer(): Promise<string | undefined> {
  return missingTool([{ program: 'pgbouncer', package: 'pgbouncer' }])
}

/** Starts PgBouncer in front of `target`, an address in the form of DATABASE_URL. */
export async function startPgBouncer(target: string, settings: PoolerSettings): Promise<PgBouncer> {
  const { poolMode, poolSize, inTurn = false } = settings
  const url = new URL(target.replace('@/', '@socket/'))
  const host = url.searchParams.get('host') ?? url.hostname
  const serverPort = url.searchParams.get('port') ?? (url.port || '5432')
  const password = url.password === '' ? '' : ` password=${decodeURIComponent(url.password)}`
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-pooler-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(
    file,
    `[databases]
* = host=${host} port=${serverPort} user=${url.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = ${poolSize}
server_round_robin = ${inTurn ? 1 : 0}
`,
    { mode: 0o644 },
  )
  // PgBouncer refuses to run as root.
  const pooler = spawn('pgbouncer', ['--quiet', file], { ...ordinaryUser(), stdio: 'ignore' })
  const kill = () => pooler.kill('SIGKILL')
  process.once('exit', kill)
  if (!(await eventually(() => listens(port)))) throw new Error('PgBouncer does not start')
  return {
    url: `postgresql://${url.username}@127.0.0.1:${port}${url.pathname}`,
    async stop() {
      const ended = once(pooler, 'exit')
      pooler.kill('SIGTERM')
      await ended
      process.off('exit', kill)
      rmSync(folder, { recursive: true })
    },
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
