// Reads the indexer's counts: orders and amounts by local day, hour, method, state and reason.
import { type Db, inKeyOrder } from '../../../platform/postgres/db.ts'
import { State, type StateNumber } from '../../orders/order.ts'
import { countUpTo } from './find-orders.ts'
import { stateKey } from './keys.ts'

export type DayCounts = {
  readonly day: string
  readonly method: string
  readonly currency: string
  readonly orders: number
  readonly paid: number
  readonly failed: number
  readonly cancelled: number
  /** The amount of paid orders, in minor units. */
  readonly volume: bigint
}

/** If `beforeHour` is given, each day counts only up to that hour (exclusive). */
export async function readCounts(
  db: Db,
  merNo: number,
  days: { readonly from: string; readonly to: string; readonly beforeHour?: number },
): Promise<DayCounts[]> {
  const values = [merNo, days.from, days.to, days.beforeHour ?? 24]
  const rows = await db.query<CountRow>({ text: countsText, values })
  return rows.map((row) => ({
    ...row,
    orders: Number(row.orders),
    paid: Number(row.paid),
    failed: Number(row.failed),
    cancelled: Number(row.cancelled),
  }))
}

export type PlatformCounts = Omit<DayCounts, 'day' | 'method' | 'cancelled'> & {
  /** 0 is today, 1 yesterday, 7 a week ago. */
  readonly back: number
}

/** Reads the counts of all merchants together. Earlier days count up to the same hour as today. */
export async function readPlatformCounts(db: Db, now: Date): Promise<PlatformCounts[]> {
  const rows = await db.query<CountRow & { back: number }>({ text: platformCountsText, values: [now] })
  return rows.map(({ back, currency, orders, paid, failed, volume }) => {
    return { back, currency, orders: Number(orders), paid: Number(paid), failed: Number(failed), volume }
  })
}

type DeclineCount = { readonly reason: string; readonly method: string; readonly orders: number }

export async function readDeclines(
  db: Db,
  merNo: number,
  days: { readonly from: string; readonly to: string },
  limit: number,
): Promise<DeclineCount[]> {
  const values = [merNo, days.from, days.to, State.failed, limit]
  const rows = await db.query<{ reason: string; method: string; orders: bigint }>({
    text: declinesText,
    values,
  })
  return rows.map((row) => ({ ...row, orders: Number(row.orders) }))
}

/** Counts the orders in this state, up to the limit. */
export function countInState(db: Db, merNo: number, state: StateNumber, limit: number): Promise<number> {
  const everything = { from: new Date(0), after: { createdAt: new Date(8.64e12), tradeNo: '' } }
  return db.transaction(async (tx) => {
    await tx.query({ text: inKeyOrder })
    return countUpTo(tx, merNo, everything, [stateKey(state)], limit)
  })
}

type CountRow = {
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

/**
 * The parameters are the merchant ($1), the first and last day ($2 and $3), and the hour before which orders count
 * ($4).
 */
const countsText = `
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

/** The parameters are the merchant ($1), the first and last day ($2 and $3), the state ($4) and the limit ($5). */
const declinesText = `
  select reason, method, sum(orders)::bigint as orders from order_counts
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
