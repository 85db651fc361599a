// Medusa's payment module behind its own HTTP route, in its own database on the same server. Only this run installs it, into
// a folder that is neither committed nor locked. If that fails, the run continues without it and says why.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../test/gateway-process.ts'
import { programPath, startChild } from './child.ts'
import type { Contestant } from './rounds.ts'
import type { Session } from './session.ts'
import { httpRequest } from './shop.ts'

const VERSION = '2.21.2'
/** More would only queue: it handles some tens of requests a second. */
const CONNECTIONS = 8
const INSTALL_WITHIN_MS = 900_000
const MIGRATE_WITHIN_MS = 300_000
const DATABASE = 'bench_medusa'

const folder = programPath('./.peers/medusa')
const program = join(folder, 'node_modules/.bin/medusa')
const run = promisify(execFile)

export async function openMedusa(
  session: Session,
  name: string,
  seconds: number,
): Promise<Contestant | undefined> {
  try {
    await install()
    const port = await start(session)
    return contestant(session, name, port, seconds)
  } catch (error) {
    session.notes.push(`Medusa is left out: ${error instanceof Error ? error.message.slice(-500) : error}`)
    return undefined
  }
}

async function install(): Promise<void> {
  const route = join(folder, 'src/api/bench/route.js')
  mkdirSync(dirname(route), { recursive: true })
  cpSync(programPath('./medusa/medusa-config.js'), join(folder, 'medusa-config.js'))
  cpSync(programPath('./medusa/route.js'), route)
  const names = ['@medusajs/medusa', '@medusajs/framework', '@medusajs/cli']
  const dependencies = Object.fromEntries(names.map((one) => [one, VERSION]))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  if (installedVersion() === VERSION) return
  process.stderr.write(`installing Medusa ${VERSION}\n`)
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, timeout: INSTALL_WITHIN_MS })
}

function installedVersion(): string | undefined {
  const manifest = join(folder, 'node_modules/@medusajs/medusa/package.json')
  if (!existsSync(program) || !existsSync(manifest)) return undefined
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}

/** Its libraries cannot connect to a socket file, so a bridge on loopback forwards to it. */
async function start(session: Session): Promise<number> {
  const { host, port: serverPort, user } = session.place.server
  await session.place.createDatabase(DATABASE)
  const bridge = await session.startProgram('the bridge to the database', './socket-bridge.ts', {
    BRIDGE_TO: join(host, `.s.PGSQL.${serverPort}`),
  })
  const env = {
    DATABASE_URL: `postgresql://${user}@127.0.0.1:${bridge.port}/${DATABASE}?sslmode=disable`,
    MEDUSA_DISABLE_TELEMETRY: 'true',
    NODE_ENV: 'production',
    LOG_LEVEL: 'info', // a line for its start, none for each request
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  }
  await run(process.execPath, [program, 'db:migrate', '--execute-all-links', '--skip-scripts'], {
    cwd: folder,
    env: { ...process.env, ...env },
    timeout: MIGRATE_WITHIN_MS,
  })
  const port = await freePort()
  const child = await startChild({
    name: 'Medusa',
    args: [program, 'start', '-H', '127.0.0.1', '-p', String(port)],
    cwd: folder,
    env,
    ready: /Server is ready/,
    readyWithinMs: 120_000,
  })
  session.closeLater(child)
  return port
}

function contestant(session: Session, name: string, port: number, seconds: number): Contestant {
  const requests = [httpRequest('/bench', 'shop.example', '{}').toString('utf8')]
  const job = { targets: [{ port, path: '/bench' }], source: { requests }, expect: ['"captured_at":"'] }
  return {
    name,
    async slice() {
      const measured = await session.load.run({ ...job, connections: CONNECTIONS, seconds })
      if (measured.failures > 0)
        session.notes.push(`Medusa failed ${measured.failures}: ${measured.samples[0]}`)
      return measured
    },
  }
}
