import type { Money } from '../../platform/base/money.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import type { OrderKey } from '../orders/order.ts'

export type FoundDeposit = {
  readonly depositRef: string
  readonly money: Money
  readonly state: 'waiting' | 'taken' | 'suspense'
  readonly attemptNo: number
  readonly at: Date
  readonly txHash: string | undefined
  readonly gasFee: string | undefined
}

export async function listDeposits(db: Queryable, { merNo, tradeNo }: OrderKey): Promise<FoundDeposit[]> {
  const rows = await db.query<{
    deposit_ref: string
    attempt_no: number
    currency: string
    amount: bigint
    state: FoundDeposit['state']
    came_at: Date
    tx_hash: string | null
    gas_cost: string | null
  }>({
    text: `
      select deposit_ref, attempt_no, currency, amount, state, came_at, tx_hash, gas_cost from deposits
      where mer_no = $1 and trade_no = $2
      order by came_at, deposit_ref limit 1000`,
    values: [merNo, tradeNo],
  })
  return rows.map((row) => {
    return {
      depositRef: row.deposit_ref,
      attemptNo: row.attempt_no,
      money: { amount: row.amount, currency: row.currency },
      state: row.state,
      at: row.came_at,
      txHash: row.tx_hash ?? undefined,
      gasFee: row.gas_cost ?? undefined,
    }
  })
}
