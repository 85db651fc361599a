import type { Queryable } from '../postgres/db.ts'
import { type PayoutCounts, selectCounts } from './find-sql.ts'

export function countPayouts(db: Queryable): Promise<PayoutCounts> {
  return selectCounts(db)
}
