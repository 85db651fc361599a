// Opens the database for the gateway and the command line: the database of DATABASE_URL, or else the embedded database
// in the data folder.
import type { Config, Mode } from '../config/config.ts'
import { SettingError } from '../errors/catalogue.ts'
import { type Db, openDb, type Queryable } from '../postgres/db.ts'
import { hasCluster } from '../postgres/embedded/cluster.ts'
import { openEmbeddedPostgres } from '../postgres/embedded/embedded-postgres.ts'
import { reachDatabase } from '../postgres/first-connection.ts'
import { migrate, pendingMigrations } from '../postgres/migrate.ts'
import { outageOf } from '../postgres/outages.ts'
import { insertMode, selectMode } from './sql.ts'

export type OpenDatabase = { readonly db: Db; close(): Promise<void> }

type Say = (line: string) => void
type DatabaseConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'fastPaths'>

/** The program that opens the database. Only a gateway decides whether a new database belongs to sandbox or live. */
export type OpenedBy = 'gateway' | 'command'

const MAX_CONNECTIONS = 17

/** Opens the database. A gateway migrates it, and stores or checks the mode. A command only checks schema and mode. */
export async function openDatabase(
  config: DatabaseConfig & Pick<Config, 'mode'>,
  say: Say,
  by: OpenedBy,
): Promise<OpenDatabase> {
  const database = await (by === 'gateway' ? connect : connectDatabase)(config, say)
  try {
    if (by === 'gateway') {
      // If gateways of both modes start at once, the first commit wins.
      const applied = await migrate(database.db, async (tx) => {
        await insertMode(tx, config.mode)
        await requireMode(tx, config.mode)
      })
      for (const name of applied) say(`applied migration ${name}`)
    } else {
      await requireSchema(database.db)
      await requireMode(database.db, config.mode)
    }
  } catch (error) {
    await database.close()
    if (outageOf(error) === undefined || !(error instanceof Error)) throw error
    throw new SettingError(`the database cannot be used: ${error.message}`, { cause: error })
  }
  return database
}

/** True if a gateway in sandbox mode was the first to start on the database, so that no money in it is real. */
export async function isOfSandbox(db: Queryable): Promise<boolean> {
  return (await selectMode(db)) === 'sandbox'
}

async function requireSchema(db: Db): Promise<void> {
  const [first, ...others] = await pendingMigrations(db)
  if (first === undefined) return
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  throw new SettingError(
    `the database lacks migrations of this version (${first}${more}): "npm start" applies them, or set DATABASE_URL as the gateway has it`,
  )
}

/** Connects to a database that exists, and changes nothing. */
export async function connectDatabase(config: DatabaseConfig, say: Say): Promise<OpenDatabase> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl === undefined && !inOneSentence(() => hasCluster(dataDir)))
    throw new SettingError(
      `there is no database in ${dataDir}: set DATABASE_URL or TOLLGATE_DATA_DIR as the gateway has it, or run "npm start" first`,
    )
  return connect(config, say)
}

async function connect(config: DatabaseConfig, say: Say): Promise<OpenDatabase> {
  const server = await reachServer(config, say)
  const { pipeline } = config.fastPaths
  const db = openDb({ connection: server.connection, maxConnections: MAX_CONNECTIONS, pipeline })
  return {
    db,
    async close() {
      await db.close()
      await server.close()
    },
  }
}

async function reachServer({ dataDir, databaseUrl }: DatabaseConfig, say: Say) {
  if (databaseUrl === undefined) return openEmbeddedPostgres({ dataDir, say }).catch(toSentence)
  const connection = { connectionString: databaseUrl }
  await reachDatabase(connection)
  return { connection, close: async () => {} }
}

function inOneSentence<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    return toSentence(error)
  }
}

/** Throws the error as a SettingError, of which only the message is shown. A stack would not help the operator. */
function toSentence(error: unknown): never {
  throw new SettingError(error instanceof Error ? error.message : String(error), { cause: error })
}

// A database permanently belongs to sandbox or to live: sandbox money is invented, and live must never pay it out.
// See docs/decisions/0149-a-database-keeps-its-mode.md.

/**
 * Throws if the database belongs to the other mode. Stores no mode, so that a command never decides the mode of a new
 * database.
 */
export async function requireMode(db: Queryable, mode: Mode): Promise<void> {
  const marked = await selectMode(db)
  if (marked === undefined || marked === mode) return
  throw new SettingError(
    `TOLLGATE_MODE is ${mode}, but this database belongs to ${marked}. ` +
      `Set TOLLGATE_MODE=${marked} to continue with it, or give ${mode} its own database ` +
      'with DATABASE_URL or TOLLGATE_DATA_DIR',
  )
}
