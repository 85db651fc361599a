// Owns hosted_orders: payments whose payer chooses or pays on our page.

import type { Queryable, Statement } from '../../../platform/postgres/db.ts'
import { int8, listOf, text, time } from '../../../platform/postgres/lists.ts'
import type { HostedPayment } from '../../orders/new-order.ts'
import { type OrderKey, orderKeys, State } from '../../orders/order.ts'

export function insertHosted(payments: readonly HostedPayment[]): Statement {
  return { name: 'hosted.insert', text: insertText, values: hosted.values(payments) }
}

const hosted = listOf<HostedPayment>({
  mer_no: int8((one) => one.merNo),
  trade_no: text((one) => one.tradeNo),
  method: text((one) => one.hosted.method),
  expires_at: time((one) => one.hosted.expiresAt),
})

const insertText = `
  insert into hosted_orders (mer_no, trade_no, method, expires_at)
  select mer_no, trade_no, method, expires_at from ${hosted.text}`

/** Returns the end of the payer's time to start an attempt on our page. Undefined for an order without a row. */
export async function selectExpiry(db: Queryable, { merNo, tradeNo }: OrderKey): Promise<Date | undefined> {
  const [row] = await db.query<{ expires_at: Date }>({
    name: 'hosted.expiry',
    text: 'select expires_at from hosted_orders where mer_no = $1 and trade_no = $2',
    values: [merNo, tradeNo],
  })
  return row?.expires_at
}

/** Selects the orders whose time on our page is over, the longest overdue first. */
export async function selectExpired(db: Queryable, now: Date, limit: number): Promise<OrderKey[]> {
  const rows = await db.query<{ mer_no: bigint; trade_no: string }>({
    name: 'hosted.expired',
    text: 'select mer_no, trade_no from hosted_orders where expires_at <= $1 order by expires_at limit $2',
    values: [now, limit],
  })
  return rows.map((row) => ({ merNo: Number(row.mer_no), tradeNo: row.trade_no }))
}

/** Deletes the rows of those orders that are no longer in process. The other rows expire again at `checkAgainAt`. */
export async function removeDecided(
  db: Queryable,
  keys: readonly OrderKey[],
  checkAgainAt: Date,
): Promise<void> {
  await db.query({
    name: 'hosted.tidy',
    text: `
      with locked as materialized (
        select h.mer_no, h.trade_no from ${orderKeys.text} join hosted_orders h using (mer_no, trade_no)
        order by h.mer_no, h.trade_no
        for update of h
      ), decided as (
        delete from hosted_orders h using locked, current_orders o
        where h.mer_no = locked.mer_no and h.trade_no = locked.trade_no
          and o.mer_no = locked.mer_no and o.trade_no = locked.trade_no and o.state <> ${State.processing}
        returning h.mer_no, h.trade_no
      )
      update hosted_orders h set expires_at = ${orderKeys.next}
      from locked left join decided d using (mer_no, trade_no)
      where h.mer_no = locked.mer_no and h.trade_no = locked.trade_no and d.trade_no is null`,
    values: [...orderKeys.values(keys), checkAgainAt],
  })
}
