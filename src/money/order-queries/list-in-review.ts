// Lists the orders that wait for a merchant's information or for an operator's decision.
import type { Money } from '../../platform/base/money.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { State, type StateNumber } from '../orders/order.ts'

export type OrderInReview = {
  readonly merNo: number
  readonly tradeNo: string
  readonly merOrderNo: string
  readonly money: Money
  readonly state: StateNumber
  readonly message: string
  /** The time when the order entered this state. */
  readonly since: Date
}

type Row = Omit<OrderInReview, 'money'> & Money

export async function listInReview(db: Queryable, limit: number, merNo?: number): Promise<OrderInReview[]> {
  const rows = await db.query<Row>({
    text: `
      select mer_no::float8 as "merNo", trade_no as "tradeNo", mer_order_no as "merOrderNo", currency, amount, state,
        message, decided_at as since
      from orders
      where needs_review and state in (${State.informationAsked}, ${State.inReview})
        and ($2::bigint is null or mer_no = $2)
      order by decided_at, trade_no limit $1`,
    values: [limit, merNo ?? null],
  })
  return rows.map(({ amount, currency, ...row }) => ({ ...row, money: { amount, currency } }))
}

/** Counts orders that wait for the merchant's information (`asked`), and for an operator (`submitted`). */
export async function countInReview(
  db: Queryable,
): Promise<{ readonly asked: number; readonly submitted: number; readonly submittedSince: Date | null }> {
  const rows = await db.query<{ state: StateNumber; orders: number; since: Date | null }>({
    text: `
      select state, count(*)::int as orders, min(decided_at) as since from orders
      where needs_review and state in (${State.informationAsked}, ${State.inReview})
      group by state`,
  })
  const of = (state: StateNumber) => rows.find((row) => row.state === state)
  const inReview = of(State.inReview)
  return {
    asked: of(State.informationAsked)?.orders ?? 0,
    submitted: inReview?.orders ?? 0,
    submittedSince: inReview?.since ?? null,
  }
}
