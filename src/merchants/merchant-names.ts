import type { Queryable } from '../postgres/db.ts'
import { selectNames } from './sql.ts'

/** By number; a merchant that does not exist has none. */
export function merchantNames(db: Queryable, merNos: readonly number[]): Promise<Map<number, string>> {
  return selectNames(db, merNos)
}
