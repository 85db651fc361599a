import { openVault } from '../base/secret.ts'
import type { Config } from '../config.ts'
import { connectDatabase } from '../runtime/open-database.ts'
import {
  checkClock,
  checkDataFolder,
  checkGateway,
  checkMail,
  checkMasterKey,
  checkMigrations,
  checkMode,
  checkNode,
  checkProxies,
  checkRates,
  checkScripts,
  checkSettings,
  type Finding,
  reason,
} from './checks.ts'
import type { Command, Tools } from './command.ts'
import { columns } from './print.ts'

const doctor: Command = {
  name: 'doctor',
  summary: 'Check the installation, and say what to do about problems',
  options: {},
  async run({ tools }) {
    const findings = await examine(tools)
    const rows = findings.map(({ status, check, found, todo }) => {
      return [status, check, todo === undefined ? found : `${found} — ${todo}`]
    })
    const isWell = findings.every(({ status }) => status !== 'fail')
    return { json: { ok: isWell, findings }, text: columns(rows), status: isWell ? 0 : 1 }
  },
}

async function examine(tools: Tools): Promise<Finding[]> {
  const node = await checkNode()
  const config = tryToReadConfig(tools)
  if (config instanceof Error) {
    const todo = 'correct the setting'
    return [node, { check: 'settings', status: 'fail', found: config.message, todo }]
  }
  const first = [node, checkSettings(config), checkMail(config), await checkDataFolder(config)]
  const { baseUrl } = config
  const database = await examineDatabase(config, tools)
  const gateway = await Promise.all([checkGateway(baseUrl), checkProxies(baseUrl), checkScripts(baseUrl)])
  return [...first, ...database, ...gateway]
}

function tryToReadConfig({ config }: Tools): Config | Error {
  try {
    return config()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** Applies no migrations: a doctor changes nothing. */
async function examineDatabase(config: Config, { clock, say }: Tools): Promise<Finding[]> {
  try {
    const { db, close } = await connectDatabase(config, say)
    try {
      const time = await checkClock(db, clock)
      const migrations = await checkMigrations(db)
      const reached: Finding[] = [{ check: 'database', status: 'ok', found: 'answers' }, time, migrations]
      if (migrations.status !== 'ok') return reached
      const vault = openVault(config.masterKey)
      reached.push(await checkMode(db, config))
      return [...reached, await checkMasterKey(db, vault), await checkRates(db, clock)]
    } finally {
      await close()
    }
  } catch (error) {
    const todo =
      config.databaseUrl === undefined
        ? 'read the server.log of its data folder'
        : 'check DATABASE_URL and the server'
    return [{ check: 'database', status: 'fail', found: reason(error), todo }]
  }
}

export const doctorCommands: readonly Command[] = [doctor]
