import { State } from '../../orders/order.ts'

export type CountRow = {
  readonly day: string
  readonly method: string
  readonly currency: string
  readonly orders: bigint
  readonly paid: bigint
  readonly failed: bigint
  readonly cancelled: bigint
  readonly volume: bigint
}

const unpaid = [State.processing, State.failed, State.cancelled, State.informationAsked, State.inReview]
const isPaid = `state not in (${unpaid.join(', ')})`

/** $1 merchant, $2 and $3 the first and last day, $4 the hour before which orders count. */
export const countsText = `
  select local_day::text as day, method, currency, sum(orders)::bigint as orders,
    coalesce(sum(orders) filter (where ${isPaid}), 0)::bigint as paid,
    coalesce(sum(orders) filter (where state = ${State.failed}), 0)::bigint as failed,
    coalesce(sum(orders) filter (where state = ${State.cancelled}), 0)::bigint as cancelled,
    coalesce(sum(amount) filter (where ${isPaid}), 0)::bigint as volume
  from order_counts
  where mer_no = $1 and local_day >= $2::date and local_day <= $3::date and hour < $4
  group by local_day, method, currency
  having sum(orders) <> 0
  order by local_day, method, currency`

/** $4 is the state, $5 the limit. */
export const declinesText = `
  select reason, method, sum(orders)::bigint as orders from order_counts
  where mer_no = $1 and local_day >= $2::date and local_day <= $3::date and state = $4
  group by reason, method
  having sum(orders) > 0
  order by sum(orders) desc, reason, method
  limit $5`

/**
 * Today, yesterday and a week ago for all merchants together, each until this hour of its own time zone: $1 is now. A merchant
 * costs one probe of the index for each of these days.
 */
export const platformCountsText = `
  select d.back, c.currency, sum(c.orders)::bigint as orders,
    coalesce(sum(c.orders) filter (where ${isPaid}), 0)::bigint as paid,
    coalesce(sum(c.orders) filter (where c.state = ${State.failed}), 0)::bigint as failed,
    coalesce(sum(c.amount) filter (where ${isPaid}), 0)::bigint as volume
  from (select mer_no, $1::timestamptz at time zone timezone as now from merchants offset 0) m
    cross join (values (0), (1), (7)) as d (back)
    join order_counts c on c.mer_no = m.mer_no and c.local_day = m.now::date - d.back
      and c.hour <= extract(hour from m.now)
  group by d.back, c.currency
  having sum(c.orders) <> 0
  order by c.currency, d.back`
