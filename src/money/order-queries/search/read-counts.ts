// Reads the indexer's counts: orders and amounts by local day, hour, method, state and reason.
import { type Db, inKeyOrder } from '../../../platform/postgres/db.ts'
import { State, type StateNumber } from '../../orders/order.ts'
import { stateKey } from './keys.ts'
import { countUpTo } from './scan-orders.ts'

export type DayCounts = {
  readonly day: string
  readonly method: string
  readonly currency: string
  readonly orders: number
  readonly paid: number
  readonly failed: number
  readonly cancelled: number
  readonly volume: bigint
}

/** Reads the counts by day, method and currency. If `beforeHour` is given, a day counts up to that hour (exclusive). */
export function readCounts(
  db: Db,
  merNo: number,
  days: { readonly from: string; readonly to: string; readonly beforeHour?: number },
): Promise<DayCounts[]> {
  const values = [merNo, days.from, days.to, days.beforeHour ?? 24]
  return db.query<DayCounts>({ text: countsText, values })
}

export type PlatformCounts = Omit<DayCounts, 'day' | 'method' | 'cancelled'> & {
  /** The number of days back: 0 is today, 1 yesterday, 7 a week ago. */
  readonly back: number
}

/** Reads the counts of all merchants together, by currency. Earlier days count up to the same hour as today. */
export function readPlatformCounts(db: Db, now: Date): Promise<PlatformCounts[]> {
  return db.query<PlatformCounts>({ text: platformCountsText, values: [now] })
}

type DeclineCount = { readonly reason: string; readonly method: string; readonly orders: number }

export function readDeclines(
  db: Db,
  merNo: number,
  days: { readonly from: string; readonly to: string },
  limit: number,
): Promise<DeclineCount[]> {
  const values = [merNo, days.from, days.to, State.failed, limit]
  return db.query<DeclineCount>({ text: declinesText, values })
}

export function countInState(db: Db, merNo: number, state: StateNumber, limit: number): Promise<number> {
  const everything = { from: new Date(0), after: { createdAt: new Date(8.64e12), tradeNo: '' } }
  return db.transaction(async (tx) => {
    await tx.query({ text: inKeyOrder })
    return countUpTo(tx, merNo, everything, [stateKey(state)], limit)
  })
}

const unpaid = [State.processing, State.failed, State.cancelled, State.informationAsked, State.inReview]
const isPaid = `state not in (${unpaid.join(', ')})`

/** Parameters: the merchant ($1), the first and last day ($2 and $3), and the hour before which orders count ($4). */
const countsText = `
  select local_day::text as day, method, currency, sum(orders)::float8 as orders,
    coalesce(sum(orders) filter (where ${isPaid}), 0)::float8 as paid,
    coalesce(sum(orders) filter (where state = ${State.failed}), 0)::float8 as failed,
    coalesce(sum(orders) filter (where state = ${State.cancelled}), 0)::float8 as cancelled,
    coalesce(sum(amount) filter (where ${isPaid}), 0)::bigint as volume
  from order_counts
  where mer_no = $1 and local_day >= $2::date and local_day <= $3::date and hour < $4
  group by local_day, method, currency
  having sum(orders) <> 0
  order by local_day, method, currency`

/** The parameters are the merchant ($1), the first and last day ($2 and $3), the state ($4) and the limit ($5). */
const declinesText = `
  select reason, method, sum(orders)::float8 as orders from order_counts
  where mer_no = $1 and local_day >= $2::date and local_day <= $3::date and state = $4
  group by reason, method
  having sum(orders) > 0
  order by sum(orders) desc, reason, method
  limit $5`

/**
 * Counts today, yesterday and a week ago for all merchants together, each merchant up to the current hour of its own
 * time zone. The parameter $1 is now. Each merchant costs one index probe per day.
 */
const platformCountsText = `
  select d.back, c.currency, sum(c.orders)::float8 as orders,
    coalesce(sum(c.orders) filter (where ${isPaid}), 0)::float8 as paid,
    coalesce(sum(c.orders) filter (where c.state = ${State.failed}), 0)::float8 as failed,
    coalesce(sum(c.amount) filter (where ${isPaid}), 0)::bigint as volume
  from (select mer_no, $1::timestamptz at time zone timezone as now from merchants offset 0) m
    cross join (values (0), (1), (7)) as d (back)
    join order_counts c on c.mer_no = m.mer_no and c.local_day = m.now::date - d.back
      and c.hour <= extract(hour from m.now)
  group by d.back, c.currency
  having sum(c.orders) <> 0
  order by c.currency, d.back`
