// Owns migrations: applies every file of migrations/ once, in order of name. All pending files run in one transaction,
// under a lock, so that a second gateway that starts at the same time waits for the first.
import { readdir, readFile } from 'node:fs/promises'
import { SettingError } from '../errors/catalogue.ts'
import type { Db, Queryable, Tx } from './db.ts'

const folder = new URL('../../../migrations/', import.meta.url)

/** The advisory lock of migrations. No other code takes it. */
const LOCK = 7_046_029_254

/** The channel on which other nodes learn that the schema has changed. */
export const SCHEMA_CHANNEL = 'schema'

/** Applies all pending migrations and returns their names. If `accept` throws, none is applied. */
export async function migrate(db: Db, accept: (tx: Tx) => Promise<void> = async () => {}): Promise<string[]> {
  const names = await migrationNames()
  return db.transaction(async (tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] })
    await tx.query({
      text: 'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    })
    const applied = await appliedNames(tx)
    refuseNewer(newerOf(applied, names))
    const missing = names.filter((name) => !applied.has(name))
    for (const name of missing) {
      await tx.query({ text: await readFile(new URL(name, folder), 'utf8') })
      await tx.query({ text: 'insert into migrations (name) values ($1)', values: [name] })
    }
    await accept(tx)
    if (missing.length > 0) await tx.query({ text: `select pg_notify($1, '')`, values: [SCHEMA_CHANNEL] })
    return missing
  })
}

export type SchemaDifference = {
  /** Migrations of this program that the database has not applied. */
  readonly pending: readonly string[]
  /** Migrations that this program does not know: a newer program applied them. */
  readonly newer: readonly string[]
}

/** Compares the database with this program, and changes nothing. Both lists are empty if they match. */
export async function schemaDifference(db: Queryable): Promise<SchemaDifference> {
  const names = await migrationNames()
  const [table] = await db.query<{ found: boolean }>({
    text: `select to_regclass('migrations') is not null as found`,
  })
  const applied = table?.found === true ? await appliedNames(db) : new Set<string>()
  return { pending: names.filter((name) => !applied.has(name)), newer: newerOf(applied, names) }
}

/** Returns the pending migrations, and changes nothing. Throws if the database is newer than this program. */
export async function pendingMigrations(db: Queryable): Promise<readonly string[]> {
  const { pending, newer } = await schemaDifference(db)
  refuseNewer(newer)
  return pending
}

let known: Promise<string[]> | undefined

/** The names are read once, because an update may replace the folder while the program still runs. */
function migrationNames(): Promise<string[]> {
  known ??= readdir(folder).then((names) => names.filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort())
  return known
}

async function appliedNames(tx: Queryable): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>({ text: 'select name from migrations' })
  return new Set(rows.map((row) => row.name))
}

function newerOf(applied: Set<string>, names: readonly string[]): string[] {
  return [...applied].filter((name) => !names.includes(name))
}

function refuseNewer(newer: readonly string[]): void {
  if (newer.length === 0) return
  throw new SettingError(
    `the database is newer than this program (${newer.join(', ')}): start the version that migrated it`,
  )
}
