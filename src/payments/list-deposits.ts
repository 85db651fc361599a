import type { Queryable } from '../postgres/db.ts'
import { type FoundDeposit, selectDeposits } from './deposit-sql.ts'
import type { OrderKey } from './order-keys.ts'

/** What payers sent for an order by themselves, the earliest first. */
export function listDeposits(db: Queryable, key: OrderKey): Promise<FoundDeposit[]> {
  return selectDeposits(db, key)
}
