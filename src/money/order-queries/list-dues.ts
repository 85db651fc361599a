// The amounts that will be settled or released to a merchant, by day or month in the merchant's time zone.
import type { Money } from '../../platform/base/money.ts'
import type { Queryable } from '../../platform/postgres/db.ts'

export type DueDay = {
  readonly day: string
  readonly orders: number
  readonly money: Money
}

type Row = { day: string; orders: number; currency: string; amount: string }

function toDay({ day, orders, currency, amount }: Row): DueDay {
  return { day, orders, money: { amount: BigInt(amount), currency } }
}

/** Lists the remainders of orders that are not settled yet, summed by day and by the orders' currency. */
export async function listSettlements(db: Queryable, merNo: number, timezone: string): Promise<DueDay[]> {
  const rows = await db.query<Row>({
    text: `
      select to_char(d.due_at at time zone $2, 'YYYY-MM-DD') as day, count(*)::int as orders, o.currency,
        sum(o.remainder)::text as amount
      from order_dues d join orders o using (mer_no, trade_no)
      where d.mer_no = $1 and d.kind = 'settle'
      group by 1, o.currency order by 1, o.currency`,
    values: [merNo, timezone],
  })
  return rows.map(toDay)
}

const forms = { day: 'YYYY-MM-DD', month: 'YYYY-MM' } as const

/** Lists the margins that are not released yet, summed by currency and by the month or day of their release. */
export async function listReserves(
  db: Queryable,
  merNo: number,
  timezone: string,
  by: keyof typeof forms = 'month',
): Promise<DueDay[]> {
  const rows = await db.query<Row>({
    text: `
      select to_char(coalesce(d.margin_at, d.due_at) at time zone $2, $3) as day, count(*)::int as orders,
        o.currency, sum(o.margin_held)::text as amount
      from order_dues d join orders o using (mer_no, trade_no)
      where d.mer_no = $1 and (d.kind = 'margin' or d.margin_at is not null) and o.margin_held <> 0
      group by 1, o.currency order by 1, o.currency`,
    values: [merNo, timezone, forms[by]],
  })
  return rows.map(toDay)
}
