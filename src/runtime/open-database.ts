// Opens the database for the gateway and the command line: the one of DATABASE_URL, or the embedded one in the data folder,
// which all its users share.

import type { Config } from '../config.ts'
import { SettingError } from '../errors/catalogue.ts'
import { type Db, openDb } from '../postgres/db.ts'
import { openEmbeddedPostgres } from '../postgres/embedded/embedded-postgres.ts'
import { reachDatabase } from '../postgres/first-connection.ts'
import { migrate } from '../postgres/migrate.ts'
import { claimMode, requireMode } from './database-mode.ts'

export type OpenDatabase = { readonly db: Db; close(): Promise<void> }

type Say = (line: string) => void
type DatabaseConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'fastPaths'>

/** Only a gateway decides whether a new database belongs to sandbox or live. */
export type OpenedBy = 'gateway' | 'command'

const MAX_CONNECTIONS = 17

/** Connects, checks the mode, and applies migrations. */
export async function openDatabase(
  config: DatabaseConfig & Pick<Config, 'mode'>,
  say: Say,
  by: OpenedBy,
): Promise<OpenDatabase> {
  const database = await connectDatabase(config, say)
  const acceptMode = by === 'gateway' ? claimMode : requireMode
  try {
    const applied = await migrate(database.db, (tx) => acceptMode(tx, config.mode))
    for (const name of applied) say(`applied migration ${name}`)
  } catch (error) {
    await database.close()
    throw error
  }
  return database
}

/** Connects without changing anything. */
export async function connectDatabase(config: DatabaseConfig, say: Say): Promise<OpenDatabase> {
  const server = await reachServer(config, say)
  const onLost = (error: Error) => say(`a connection to the database was lost: ${error.message}`)
  const { pipeline } = config.fastPaths
  const db = openDb({ connection: server.connection, maxConnections: MAX_CONNECTIONS, pipeline, onLost })
  return {
    db,
    async close() {
      await db.close()
      await server.close()
    },
  }
}

async function reachServer({ dataDir, databaseUrl }: DatabaseConfig, say: Say) {
  if (databaseUrl === undefined) return startEmbedded(dataDir, say)
  const connection = { connectionString: databaseUrl }
  await reachDatabase(connection)
  return { connection, close: async () => {} }
}

/** The message says why the server does not start; a stack trace would not help the operator. */
async function startEmbedded(dataDir: string, say: Say) {
  try {
    return await openEmbeddedPostgres({ dataDir, say })
  } catch (error) {
    throw new SettingError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
