// A separate database for every test file, cloned from the migrated template.
import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import pg from 'pg'
import { type Db, openDb } from '../../src/platform/postgres/db.ts'
import { fastPaths } from './fast-paths.ts'

export type OpenDatabase = {
  readonly db: Db
  readonly connection: pg.ClientConfig
  /** The address of the database, for processes that take DATABASE_URL. */
  readonly url: string
}

export type TestDatabase = OpenDatabase & { drop(): Promise<void> }

export type DatabaseOptions = {
  readonly maxConnections?: number
  readonly pipeline?: boolean
  /** Runs once the database is open, before the first test. Top-level `before` hooks do not wait for each other. */
  readonly before?: (database: OpenDatabase) => unknown
  /** Runs after the last test, while the database is still open. */
  readonly after?: (database: OpenDatabase) => unknown
}

/** The database of a test file: it is cloned before the file's first test and dropped after its last one. */
export function useDatabase(options: DatabaseOptions = {}): OpenDatabase {
  let opened: TestDatabase | undefined
  before(async () => {
    opened = await cloneDatabase(options.maxConnections, options.pipeline)
    await options.before?.(opened)
  })
  after(async () => {
    if (opened === undefined) return
    try {
      await options.after?.(opened)
    } finally {
      await opened.drop()
    }
  })
  const database = () => {
    if (opened === undefined) throw new Error('the database is open within tests and hooks only')
    return opened
  }
  return {
    get db() {
      return database().db
    },
    get connection() {
      return database().connection
    },
    get url() {
      return database().url
    },
  }
}

export async function cloneDatabase(
  maxConnections = 8,
  pipeline = fastPaths.pipeline,
): Promise<TestDatabase> {
  const server: pg.ClientConfig = JSON.parse(required('TOLLGATE_TEST_SERVER'))
  const name = `tollgate_test_${randomBytes(6).toString('hex')}`
  const url = addressOf(server, name)
  const connection = { connectionString: url }
  const template = required('TOLLGATE_TEST_TEMPLATE')
  // The template is copied as files, because copying through the write-ahead log takes 1.5 times the processor time.
  await administer(server, `create database ${name} template ${template} strategy file_copy`)
  const db = openDb({ connection, maxConnections, pipeline })
  return {
    db,
    connection,
    url,
    async drop() {
      await db.close()
      await administer(server, `drop database ${name} with (force)`)
    },
  }
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run this file with "npm test -- FILE"`)
  return value
}

function addressOf(server: pg.ClientConfig, database: string): string {
  if (server.connectionString !== undefined) {
    const url = new URL(server.connectionString)
    url.pathname = `/${database}`
    return url.href
  }
  const socketFolder = encodeURIComponent(server.host ?? '')
  return `postgresql://${server.user}@/${database}?host=${socketFolder}&port=${server.port}`
}

async function administer(server: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(statement)
  await client.end()
}
