// `npm test [files]`: one PostgreSQL and one migrated template database for the whole run, then node's own runner.
// TEST_DATABASE_URL runs the same tests on another server.
import { spawn } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDb } from '../src/base/db.ts'
import { openEmbeddedPostgres } from '../src/base/embedded-postgres.ts'
import { migrate } from '../src/base/migrate.ts'
import { needsBrowser, provideChromium } from './chromium.ts'

const asked = process.argv.slice(2)
const files = asked.length > 0 ? asked : globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).sort()
if (files.some(needsBrowser)) provideChromium((line) => console.error(line))
const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
// As root the server runs as another user, who must be able to pass through.
chmodSync(folder, 0o711)
const server = await openServer()
const template = `tollgate_template_${process.pid}`
let status = 1
try {
  await makeTemplate(server.admin, template)
  status = await runTests()
} finally {
  await administer(server.admin, `drop database if exists ${template} with (force)`)
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = status

async function openServer(): Promise<{ admin: pg.ClientConfig; close(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { admin: { connectionString: url }, close: async () => {} }
  const embedded = await openEmbeddedPostgres({ dataDir: folder, say: (line) => console.error(line) })
  return { admin: embedded.connection, close: () => embedded.close() }
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

function runTests(): Promise<number> {
  const env = {
    ...process.env,
    TOLLGATE_TEST_SERVER: JSON.stringify(server.admin),
    TOLLGATE_TEST_TEMPLATE: template,
  }
  const child = spawn(
    process.execPath,
    ['--test', '--test-concurrency=4', '--test-timeout=1200000', ...files],
    { stdio: 'inherit', env },
  )
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}
