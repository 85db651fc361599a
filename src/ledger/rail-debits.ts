import type { Queryable } from '../postgres/db.ts'
import { type RailDebit, type SubjectKey, selectRailDebits } from './sql.ts'

/** What payments debited to their channels' accounts, by subject and currency. */
export function railDebits(db: Queryable, subjects: readonly SubjectKey[]): Promise<RailDebit[]> {
  return subjects.length === 0 ? Promise.resolve([]) : selectRailDebits(db, subjects)
}
