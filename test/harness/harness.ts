// A separate database for every test file, cloned from the migrated template.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Db, openDb } from '../src/postgres/db.ts'
import { fastPaths } from './fast-paths.ts'

export type TestDatabase = {
  readonly db: Db
  readonly connection: pg.ClientConfig
  /** Its address, for processes that take DATABASE_URL. */
  readonly url: string
  drop(): Promise<void>
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
  // Copied as files: through the log it takes half as much processor time again.
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
