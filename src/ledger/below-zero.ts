import type { Tx } from '../base/db.ts'
import { AVAILABLE } from './account.ts'

/** Whether the merchant owes us in some currency: what is available there went below zero. */
export async function owesSomething(tx: Tx, merNo: number): Promise<boolean> {
  const rows = await tx.query({
    name: 'balances.below-zero',
    text: 'select currency from exact_balances where mer_no = $1 and account = $2 and credits < debits limit 1',
    values: [merNo, AVAILABLE],
  })
  return rows.length > 0
}
