// Reads the merchants' orders from the gateway's tables, each with counts of rows that must agree with the order.
import type { World } from '../world/world.ts'

export type OrderRow = {
  readonly mer_no: bigint
  readonly trade_no: string
  readonly mer_order_no: string
  readonly kind: 'payment' | 'payout'
  readonly currency: string
  readonly amount: bigint
  readonly received: bigint | null
  readonly state: number
  readonly version: number
  /** The number of rows in the order's history. */
  readonly events: number
  /** True if the order was cancelled, and then succeeded with late money. */
  readonly accepted_late: boolean
  readonly succeeded_attempts: number
  readonly payment_entries: number
  readonly payment_amount: bigint
  readonly sent_entries: number
  /** The id of the payment link or payout run that made the order; '' if the merchant's program sent the order. */
  readonly made_by: string
  /** The number of ledger entries other than those of the payment itself, of suspense, of reviews and of payouts. */
  readonly other_entries: number
}

export async function readOrders({ db, shops }: World): Promise<Map<string, OrderRow>> {
  const values = [shops.map(({ merNo }) => merNo)]
  const rows = await db.query<OrderRow>({ text: ordersText, values })
  return new Map(rows.map((row) => [orderKey(row.mer_no, row.mer_order_no), row]))
}

export function orderKey(merNo: number | bigint, number: string): string {
  return `${merNo} ${number}`
}

/** True if the order was paid, even if the money was refunded or charged back later. */
export function wasPaid({ state }: Pick<OrderRow, 'state'>): boolean {
  return [5, 9, 10, 11, 12, 17].includes(state)
}

const ordersText = `
  select o.mer_no, o.trade_no, o.mer_order_no, o.kind, o.currency, o.amount, o.received, o.state, o.version,
    coalesce(h.events, 0) as events, coalesce(h.accepted_late, false) as accepted_late,
    coalesce(a.succeeded, 0) as succeeded_attempts, coalesce(e.payments, 0) as payment_entries,
    coalesce(e.paid, 0) as payment_amount, coalesce(e.sent, 0) as sent_entries, coalesce(e.others, 0) as other_entries,
    coalesce(
      (select link_id from payment_link_orders l where l.mer_no = o.mer_no and l.trade_no = o.trade_no),
      (select run_id from payout_run_lines r where r.mer_no = o.mer_no and r.mer_order_no = o.mer_order_no), '') as made_by
  from orders o
    left join (
      select mer_no, trade_no, count(*)::int as events, bool_or(from_state = 7 and to_state = 5) as accepted_late
      from order_events group by mer_no, trade_no
    ) h using (mer_no, trade_no)
    left join (
      select mer_no, trade_no, (count(*) filter (where state = 'succeeded'))::int as succeeded
      from attempts group by mer_no, trade_no
    ) a using (mer_no, trade_no)
    left join (
      select mer_no, subject as trade_no,
        (count(*) filter (where step = 'payment'))::int as payments,
        (sum(amount) filter (where step = 'payment'))::bigint as paid,
        (count(*) filter (where step = 'payout:sent'))::int as sent,
        (count(*) filter (where step <> 'payment' and step not like 'suspense%' and step not like 'review%'
          and step not like 'payout%'))::int as others
      from ledger_entries group by mer_no, subject
    ) e using (mer_no, trade_no)
  where o.mer_no = any ($1::bigint[])`
