// Medusa's payment module behind its own HTTP route, in its own database on the same server. Only this run installs
// Medusa, into a folder that is neither committed nor locked. If Medusa cannot be installed or started, the run
// continues without it and says why.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../test/harness/gateway-process.ts'
import { programPath } from './child.ts'
import { npmInstall } from './npm-install.ts'
import type { Contestant } from './rounds.ts'
import type { Session } from './session.ts'
import { httpRequest } from './shop.ts'
import { startMedusa } from './start-medusa.ts'

const VERSION = '2.21.2'
/** Further connections would only queue: Medusa handles some tens of requests a second. */
const CONNECTIONS = 8
const DATABASE = 'bench_medusa'

const folder = programPath('./.peers/medusa')

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
  await npmInstall(folder, dependencies)
}

async function start(session: Session): Promise<number> {
  const { host, port: serverPort, user } = session.place.server
  await session.place.createDatabase(DATABASE)
  const bridge = await session.startProgram('the bridge to the database', './socket-bridge.ts', {
    BRIDGE_TO: join(host, `.s.PGSQL.${serverPort}`),
  })
  const databaseUrl = `postgresql://${user}@127.0.0.1:${bridge.port}/${DATABASE}?sslmode=disable`
  const port = await freePort()
  const program = join(folder, 'node_modules/.bin/medusa')
  session.closeLater(await startMedusa({ folder, program, databaseUrl, port }))
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
