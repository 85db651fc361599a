// Runs all checks of an installation, one after the other, for the command line and the back office.
import type { Clock } from '../base/clock.ts'
import { openVault } from '../base/secret.ts'
import type { Config } from '../config.ts'
import type { Db } from '../postgres/db.ts'
import {
  checkChannels,
  checkChannelsFile,
  checkChannelWork,
  checkFiles,
  checkRoutes,
} from './check-channels.ts'
import { checkOutcomes } from './check-outcomes.ts'
import {
  checkClock,
  checkDataFolder,
  checkGateway,
  checkMail,
  checkMasterKey,
  checkMigrations,
  checkMode,
  checkNames,
  checkNode,
  checkProxies,
  checkRates,
  checkScripts,
  checkSearch,
  checkSettings,
  type Finding,
  reason,
} from './checks.ts'

export type ExamineDeps = {
  /** Throws if a setting is wrong. */
  config(): Config
  readonly clock: Clock
  /** Applies no migrations: a doctor changes nothing. */
  openDatabase(config: Config): Promise<{ readonly db: Db; close(): Promise<void> }>
  /** Called with each finding as soon as it is there. */
  readonly found?: ((finding: Finding) => void) | undefined
}

export async function examine(deps: ExamineDeps): Promise<Finding[]> {
  const findings: Finding[] = []
  const add = (...some: readonly Finding[]) => {
    for (const one of some) {
      findings.push(one)
      deps.found?.(one)
    }
  }
  add(await checkNode())
  const config = tryToRead(deps)
  if (config instanceof Error) {
    add({ check: 'settings', status: 'fail', found: config.message, todo: 'correct the setting' })
    return findings
  }
  add(checkSettings(config), ...checkNames(process.env), checkMail(config), await checkDataFolder(config))
  const files = checkFiles(config, deps.clock)
  add(...files)
  await examineDatabase(config, { ...deps, isFileRight: files.every(({ status }) => status !== 'fail') }, add)
  const { baseUrl } = config
  const gateway = await checkGateway(baseUrl)
  add(gateway)
  // The pages of another program are not ours, and nobody has changed them.
  if (gateway.status !== 'fail') add(...(await Promise.all([checkProxies(baseUrl), checkScripts(baseUrl)])))
  return findings
}

function tryToRead({ config }: Pick<ExamineDeps, 'config'>): Config | Error {
  try {
    return config()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function examineDatabase(
  config: Config,
  { clock, openDatabase, isFileRight }: ExamineDeps & { readonly isFileRight: boolean },
  add: (...some: readonly Finding[]) => void,
): Promise<void> {
  try {
    const { db, close } = await openDatabase(config)
    try {
      add({ check: 'database', status: 'ok', found: 'answers' }, await checkClock(db, clock))
      // Before the migrations: a gateway that does not start with the file does not apply them.
      if (isFileRight) add(await checkChannelsFile({ db, config, clock }))
      const migrations = await checkMigrations(db)
      add(migrations)
      if (migrations.status !== 'ok') return
      const vault = openVault(config.masterKey)
      add(await checkMode(db, config), await checkMasterKey(db, vault), await checkRates(db, clock))
      add(await checkSearch(db), ...(await checkChannels(db, clock)), await checkChannelWork(db, clock))
      add(await checkOutcomes(db, clock))
      if (isFileRight) add(...(await checkRoutes(db, config)))
    } finally {
      await close()
    }
  } catch (error) {
    const todo =
      config.databaseUrl === undefined
        ? 'read the server.log of its data folder'
        : 'check DATABASE_URL and the server'
    add({ check: 'database', status: 'fail', found: reason(error), todo })
  }
}
