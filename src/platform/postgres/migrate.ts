// Owns migrations. Applies every file of migrations/ once, in order of name, forward only. All pending files run in one
// transaction, under a lock, so that a second gateway that starts at the same time waits for the first.
import { readdir, readFile } from 'node:fs/promises'
import type { Db, Queryable, Tx } from './db.ts'

const folder = new URL('../../migrations/', import.meta.url)

/** An arbitrary number that no other lock uses. */
const LOCK = 7_046_029_254

/** `accept` may refuse the migrated database by throwing: then nothing has changed, and no migration was applied. */
export async function migrate(db: Db, accept: (tx: Tx) => Promise<void> = async () => {}): Promise<string[]> {
  const names = await migrationNames()
  return db.transaction(async (tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [LOCK] })
    await tx.query({
      text: 'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    })
    const applied = await appliedNames(tx)
    refuseNewer(applied, names)
    const missing = names.filter((name) => !applied.has(name))
    for (const name of missing) {
      await tx.query({ text: await readFile(new URL(name, folder), 'utf8') })
      await tx.query({ text: 'insert into migrations (name) values ($1)', values: [name] })
    }
    await accept(tx)
    return missing
  })
}

/** Migrations that are not applied yet. Changes nothing. */
export async function pendingMigrations(db: Queryable): Promise<string[]> {
  const names = await migrationNames()
  const [table] = await db.query<{ found: boolean }>({
    text: `select to_regclass('migrations') is not null as found`,
  })
  const applied = table?.found === true ? await appliedNames(db) : new Set<string>()
  refuseNewer(applied, names)
  return names.filter((name) => !applied.has(name))
}

async function migrationNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^\d{4}_.*\.sql$/.test(name)).sort()
}

async function appliedNames(tx: Queryable): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>({ text: 'select name from migrations' })
  return new Set(rows.map((row) => row.name))
}

function refuseNewer(applied: Set<string>, known: string[]): void {
  const newer = [...applied].filter((name) => !known.includes(name))
  if (newer.length === 0) return
  throw new Error(
    `the database is newer than this program (${newer.join(', ')}): start the version that migrated it`,
  )
}
