// A paid order as its receipt shows it.
import type { Money } from '../../platform/base/money.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { isMethod, type Method } from '../../rails/methods/methods.ts'
import { type OrderKey, State, type StateNumber } from '../orders/order.ts'

export type Receipt = OrderKey & {
  readonly merOrderNo: string
  readonly method: Method | undefined
  /** The amount paid, which may be less than the order's amount. */
  readonly money: Money
  readonly paidAt: Date
  readonly card: { readonly brand: string; readonly last4: string } | undefined
}

const states: readonly StateNumber[] = [State.succeeded, State.refunding, State.refunded, State.disputed]

/** True if an order in this state has a receipt: the order was paid, and no chargeback was lost. */
export function hasReceipt(state: StateNumber): boolean {
  return states.includes(state)
}

type Row = {
  mer_order_no: string
  method: string
  currency: string
  amount: bigint
  received: bigint | null
  state: StateNumber
  paid_at: Date
  card_brand: string | null
  card_last4: string | null
}

/** Finds the receipt of an order. Undefined if the order's state has no receipt (see `hasReceipt`). */
export async function findReceipt(db: Queryable, { merNo, tradeNo }: OrderKey): Promise<Receipt | undefined> {
  const [row] = await db.query<Row>({
    name: 'orders.receipt',
    text: `
      select o.mer_order_no, o.method, o.currency, o.amount, o.received, o.state, a.decided_at as paid_at, a.card_brand,
        a.card_last4
      from orders o join attempts a on a.mer_no = o.mer_no and a.trade_no = o.trade_no and a.state = 'succeeded'
      where o.kind = 'payment' and o.mer_no = $1 and o.trade_no = $2`,
    values: [merNo, tradeNo],
  })
  if (row === undefined || !hasReceipt(row.state)) return undefined
  const { amount, received, currency, card_brand: brand, card_last4: last4 } = row
  return {
    merNo,
    tradeNo,
    merOrderNo: row.mer_order_no,
    method: isMethod(row.method) ? row.method : undefined,
    money: { amount: received !== null && received < amount ? received : amount, currency },
    paidAt: row.paid_at,
    card: brand === null || last4 === null ? undefined : { brand, last4 },
  }
}
