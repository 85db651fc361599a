import type { Queryable } from '../postgres/db.ts'
import { type OpenCounts, selectOpenCounts } from './count-sql.ts'

/** Refunds that wait for their channel, and refunds to be approved. */
export function countOpenRefunds(db: Queryable): Promise<OpenCounts> {
  return selectOpenCounts(db)
}
