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

type Row = Omit<FoundDeposit, 'money' | 'txHash' | 'gasFee'> &
  Money & { readonly txHash: string | null; readonly gasFee: string | null }

export async function listDeposits(db: Queryable, { merNo, tradeNo }: OrderKey): Promise<FoundDeposit[]> {
  const rows = await db.query<Row>({
    text: `
      select deposit_ref as "depositRef", attempt_no as "attemptNo", currency, amount, state, came_at as at,
        tx_hash as "txHash", gas_cost as "gasFee"
      from deposits
      where mer_no = $1 and trade_no = $2
      order by came_at, deposit_ref limit 1000`,
    values: [merNo, tradeNo],
  })
  return rows.map(({ amount, currency, ...row }) => ({
    ...row,
    money: { amount, currency },
    txHash: row.txHash ?? undefined,
    gasFee: row.gasFee ?? undefined,
  }))
}
