// One PostgreSQL server and one migrated template database, which a run of tests clones.
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openDb } from '../../src/platform/postgres/db.ts'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { openTestServer } from './postgres-server.ts'
import { makeScratch } from './scratch.ts'

export type TestDatabases = {
  /** The folder of the run, which is removed in the end. */
  readonly folder: string
  readonly admin: pg.ClientConfig
  /** The settings by which tests find the server and the template. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export async function openTestDatabases(
  version: 'embedded' | 'oldest',
  say: (line: string) => void,
): Promise<TestDatabases> {
  const folder = makeScratch()
  // If the user is root, the server runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711)
  const server = await openTestServer({ folder, version, say })
  const template = `tollgate_template_${process.pid}`
  const close = async () => {
    try {
      await administer(server.admin, `drop database if exists ${template} with (force)`)
    } finally {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  try {
    await makeTemplate(server.admin, template)
  } catch (error) {
    await close()
    throw error
  }
  const env = {
    TOLLGATE_TEST_SERVER: JSON.stringify(server.admin),
    TOLLGATE_TEST_TEMPLATE: template,
    TOLLGATE_TEST_KEYS: join(folder, 'keys'),
  }
  return { folder, admin: server.admin, env, close }
}

async function makeTemplate(admin: pg.ClientConfig, name: string): Promise<void> {
  await administer(
    admin,
    `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
  )
  const db = openDb({ connection: withDatabase(admin, name), maxConnections: 1 })
  await migrate(db)
  await db.close()
}

async function administer(admin: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(admin)
  await client.connect()
  await client.query(statement)
  await client.end()
}

function withDatabase(admin: pg.ClientConfig, database: string): pg.ClientConfig {
  if (admin.connectionString === undefined) return { ...admin, database }
  const url = new URL(admin.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}
