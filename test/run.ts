// `npm test [files]`, `npm run test:quick`, `npm run test:more`: one PostgreSQL and one migrated template database for the
// whole run, then node's own runner. TEST_DATABASE_URL runs the same tests on another server.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import pg from 'pg'
import { openDb } from '../src/postgres/db.ts'
import { openEmbeddedPostgres } from '../src/postgres/embedded/embedded-postgres.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { needsBrowser, provideChromium } from './chromium.ts'
import { filesOf } from './tiers.ts'

const SLOWEST = 20
const files = filesOf(process.argv.slice(2))
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

async function runTests(): Promise<number> {
  process.env.TOLLGATE_TEST_SERVER = JSON.stringify(server.admin)
  process.env.TOLLGATE_TEST_TEMPLATE = template
  const took: { readonly file: string; readonly ms: number }[] = []
  let isGood = false
  const tests = run({ files, concurrency: 4, timeout: 1_200_000 })
  tests.on('test:summary', ({ file, success, duration_ms: ms }) => {
    if (file === undefined) isGood = success
    else took.push({ file: relative(process.cwd(), file), ms })
  })
  await pipeline(tests, new spec(), process.stdout, { end: false })
  if (took.length > SLOWEST) printSlowest(took)
  return isGood ? 0 : 1
}

/** So that it shows when one grows. */
function printSlowest(took: readonly { readonly file: string; readonly ms: number }[]): void {
  console.log('\nThe slowest test files, in seconds:')
  for (const { file, ms } of took.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST))
    console.log(`${(ms / 1000).toFixed(1).padStart(8)}  ${file}`)
}
