import type { OrderKey } from '../../orders/keys.ts'
import type { Queryable } from '../../postgres/db.ts'
import { type FoundDeposit, selectDeposits } from './sql.ts'

/** What payers sent for an order by themselves, the earliest first. */
export function listDeposits(db: Queryable, key: OrderKey): Promise<FoundDeposit[]> {
  return selectDeposits(db, key)
}
