// A database belongs to sandbox or to live for good: sandbox money is invented, and live must never pay it out.

import type { Mode } from '../config.ts'
import { SettingError } from '../errors/catalogue.ts'
import type { Queryable, Tx } from '../postgres/db.ts'
import { insertMode, selectMode } from './sql.ts'

/** For a gateway: stores its mode in a database that has none yet. If both modes start together, the first commit wins. */
export async function claimMode(tx: Tx, mode: Mode): Promise<void> {
  await insertMode(tx, mode)
  await requireMode(tx, mode)
}

/** For a command: does not store a mode, so that a forgotten TOLLGATE_MODE decides nothing. */
export async function requireMode(db: Queryable, mode: Mode): Promise<void> {
  const marked = await selectMode(db)
  if (marked !== undefined && marked !== mode) throw new SettingError(wrongMode(marked, mode))
}

function wrongMode(marked: string, mode: Mode): string {
  return (
    `TOLLGATE_MODE is ${mode}, but this database belongs to ${marked}. ` +
    `Set TOLLGATE_MODE=${marked} to continue with it, or give ${mode} its own database ` +
    'with DATABASE_URL or TOLLGATE_DATA_DIR'
  )
}
