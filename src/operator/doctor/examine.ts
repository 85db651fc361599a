// Runs the checks of an installation one after another, for the command line and the back office.
import type { Clock } from '../../platform/base/clock.ts'
import { openVault } from '../../platform/base/secret.ts'
import type { Config } from '../../platform/config/config.ts'
import { SettingError } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { writeProblem } from '../../platform/runtime/database-health.ts'
import {
  checkChannels,
  checkChannelsFile,
  checkChannelWork,
  checkFiles,
  checkRoutes,
} from './check-channels.ts'
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
  checkNotifications,
  checkOutcomes,
  checkProxies,
  checkRates,
  checkScripts,
  checkSearch,
  checkSettings,
  type Finding,
  failure,
  ok,
  reason,
} from './checks.ts'

type ExamineDeps = {
  /** Throws if a setting is wrong. */
  config(): Config
  readonly clock: Clock
  /** Opens the database without migrating it, because the doctor changes nothing. */
  openDatabase(config: Config): Promise<{ readonly db: Db; close(): Promise<void> }>
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
    add(failure('settings', config.message, 'correct the setting'))
    return findings
  }
  add(checkSettings(config), ...checkNames(process.env), checkMail(config), await checkDataFolder(config))
  const files = checkFiles(config, deps.clock)
  add(...files)
  await examineDatabase(config, { ...deps, isFileRight: files.every(({ status }) => status !== 'fail') }, add)
  const { baseUrl } = config
  const gateway = await checkGateway(baseUrl)
  add(gateway)
  // If the status is `fail`, another program answers, and its scripts are not ours.
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
      add(ok('database', 'answers'), await checkClock(db, clock))
      // The file is checked before the migrations, because a gateway with a wrong file applies no migrations.
      if (isFileRight) add(await checkChannelsFile({ db, config, clock }))
      const migrations = await checkMigrations(db)
      add(migrations)
      if (migrations.status !== 'ok') return
      add(await checkWrites(db), await checkMode(db, config), await checkKey(db, config))
      add(await checkRates(db, clock))
      add(await checkSearch(db), ...(await checkChannels(db, clock)), await checkChannelWork(db, clock))
      add(await checkOutcomes(db, clock), await checkNotifications(db, clock))
      if (isFileRight) add(...(await checkRoutes(db, config)))
    } finally {
      await close()
    }
  } catch (error) {
    const todo =
      config.databaseUrl === undefined
        ? 'see that the settings are those of the gateway, or read the server.log of its data folder'
        : 'check DATABASE_URL and the server'
    add(failure('database', reason(error), todo))
  }
}

/** Checks that the database accepts writes. The database must have all migrations. */
async function checkWrites(db: Db): Promise<Finding> {
  const check = 'writes'
  const problem = await writeProblem(db)
  if (problem === undefined) return ok(check, 'the database accepts them')
  const todo = 'make the database writable, or let DATABASE_URL lead to the primary server'
  return failure(check, reason(problem), todo)
}

async function checkKey(db: Db, config: Config): Promise<Finding> {
  try {
    return await checkMasterKey(db, openVault(config.masterKey))
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    return failure('master key', error.message, 'correct the setting')
  }
}
