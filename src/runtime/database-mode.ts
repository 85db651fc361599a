// A database belongs to sandbox or to live for good: sandbox money is invented, and live must never pay it out.

import type { Mode } from '../config.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { insertMode, selectMode } from './sql.ts'

/** A gateway's start: marks a database that has no mark yet. Of two modes that start at once, the first to commit wins. */
export async function claimMode(tx: Tx, mode: Mode): Promise<void> {
  await insertMode(tx, mode)
  await requireMode(tx, mode)
}

/** A command: an unmarked database stays unmarked, so that a forgotten TOLLGATE_MODE decides nothing. */
export async function requireMode(db: Queryable, mode: Mode): Promise<void> {
  const marked = await selectMode(db)
  if (marked !== undefined && marked !== mode) throw new SettingError(wrongMode(marked, mode))
}

function wrongMode(marked: string, mode: Mode): string {
  return (
    `TOLLGATE_MODE is ${mode}, but this database belongs to ${marked}. ` +
    `Set TOLLGATE_MODE=${marked} to go on with it, or give ${mode} a database of its own ` +
    'with DATABASE_URL or TOLLGATE_DATA_DIR'
  )
}
