import type { OrderKey, StateNumber } from '../orders/order.ts'
import type { Queryable } from '../postgres/db.ts'

/** Where a payment's money is. */
export type OrderMoney = {
  readonly state: StateNumber
  readonly currency: string
  readonly amount: bigint
  readonly received: bigint | null
  readonly refunded: bigint
  readonly exceptionFees: bigint
  readonly marginHeld: bigint
  readonly settledAt: Date | null
}

export async function readOrderMoney(
  db: Queryable,
  { merNo, tradeNo }: OrderKey,
): Promise<OrderMoney | undefined> {
  const [row] = await db.query<OrderMoney>({
    text: `select state, currency, amount, received, refunded, exception_fees as "exceptionFees",
        margin_held as "marginHeld", settled_at as "settledAt"
      from orders where mer_no = $1 and trade_no = $2 and kind = 'payment'`,
    values: [merNo, tradeNo],
  })
  return row
}
