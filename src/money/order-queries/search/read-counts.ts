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
  readonly volume: bigint
  /** The volume of the hours of the day before the current hour, so that an earlier day can be compared with today. */
  readonly volumeByNow: bigint
}

/** Reads the counts by day, method and currency. `hour` is the current hour. */
export function readCounts(
  db: Db,
  merNo: number,
  { from, to, hour }: { readonly from: string; readonly to: string; readonly hour: number },
): Promise<DayCounts[]> {
  return db.query<DayCounts>({ text: countsText, values: [merNo, from, to, hour] })
}

export type PlatformCounts = Omit<DayCounts, 'day' | 'method'> & {
  /** The number of days back: 0 is today, 1 yesterday, 7 a week ago. */
  readonly back: number
}

/** Reads the counts of all merchants together, by day and currency: today and the `days - 1` days before. */
export function readPlatformCounts(db: Db, now: Date, days: number): Promise<PlatformCounts[]> {
  return db.query<PlatformCounts>({ text: platformCountsText, values: [now, days] })
}

export type Decided = { readonly paid: number; readonly failed: number }

export type MerchantRates = {
  readonly merNo: number
  readonly name: string
  readonly now: Decided
  readonly usual: Decided
}

/**
 * Counts each merchant's paid and failed payments in two spans. `now`: the current hour and the hour before. `usual`:
 * the seven days before the day on which `now` begins, and the hours of that day before `now`. Returns the merchants
 * with the most failed payments in `now`. A merchant without a failed payment, or with fewer than `least` decided
 * payments, in `now` is left out.
 */
export async function readMerchantRates(
  db: Db,
  now: Date,
  { least, limit }: { readonly least: number; readonly limit: number },
): Promise<MerchantRates[]> {
  const rows = await db.query<RatesRow>({ text: merchantRatesText, values: [now, least, limit] })
  return rows.map(({ merNo, name, paid, failed, usuallyPaid, usuallyFailed }) => {
    return { merNo, name, now: { paid, failed }, usual: { paid: usuallyPaid, failed: usuallyFailed } }
  })
}

type RatesRow = Decided & {
  readonly merNo: number
  readonly name: string
  readonly usuallyPaid: number
  readonly usuallyFailed: number
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
const isPaid = `c.state not in (${unpaid.join(', ')})`

/** The sums that both `countsText` and `platformCountsText` select. */
const sumsText = (hour: string) => `sum(c.orders)::float8 as orders,
    coalesce(sum(c.orders) filter (where ${isPaid}), 0)::float8 as paid,
    coalesce(sum(c.orders) filter (where c.state = ${State.failed}), 0)::float8 as failed,
    coalesce(sum(c.amount) filter (where ${isPaid}), 0)::bigint as volume,
    coalesce(sum(c.amount) filter (where ${isPaid} and c.hour < ${hour}), 0)::bigint as "volumeByNow"`

/** The parameters are the merchant ($1), the first and last day ($2 and $3) and the current hour ($4). */
const countsText = `
  select c.local_day::text as day, c.method, c.currency, ${sumsText('$4')}
  from order_counts c
  where c.mer_no = $1 and c.local_day >= $2::date and c.local_day <= $3::date
  group by c.local_day, c.method, c.currency
  having sum(c.orders) <> 0
  order by c.local_day, c.method, c.currency`

/** The parameters are the merchant ($1), the first and last day ($2 and $3), the state ($4) and the limit ($5). */
const declinesText = `
  select reason, method, sum(orders)::float8 as orders from order_counts
  where mer_no = $1 and local_day >= $2::date and local_day <= $3::date and state = $4
  group by reason, method
  having sum(orders) > 0
  order by sum(orders) desc, reason, method
  limit $5`

/**
 * Sums the counts of all merchants by day. Days begin in each merchant's own time zone. The parameters are now ($1) and
 * the number of days ($2). For each merchant, one range of the primary key is read.
 */
export const platformCountsText = `
  select m.now::date - c.local_day as back, c.currency, ${sumsText('extract(hour from m.now)')}
  from (select mer_no, $1::timestamptz at time zone timezone as now from merchants offset 0) m
    join order_counts c on c.mer_no = m.mer_no
      and c.local_day > m.now::date - $2::int and c.local_day <= m.now::date
  group by m.now::date - c.local_day, c.currency
  having sum(c.orders) <> 0
  order by c.currency, back`

const decidedText = `
  coalesce(sum(c.orders) filter (where ${isPaid}), 0)::float8 as paid,
  coalesce(sum(c.orders) filter (where c.state = ${State.failed}), 0)::float8 as failed`

/**
 * The parameters are now ($1), the least number of decided payments ($2) and the limit ($3). For each merchant, two
 * short ranges of the primary key are read. For each merchant in the result, one more range of eight days is read.
 */
export const merchantRatesText = `
  select recent.mer_no::float8 as "merNo", recent.name, recent.paid, recent.failed,
    usual.paid as "usuallyPaid", usual.failed as "usuallyFailed"
  from (
    select m.mer_no, m.name, m.begun, ${decidedText}
    from (
      select mer_no, name, date_trunc('hour', $1::timestamptz at time zone timezone) - interval '1 hour' as begun
      from merchants offset 0
    ) m
      cross join lateral (values (m.begun), (m.begun + interval '1 hour')) as h (at)
      join order_counts c on c.mer_no = m.mer_no and c.local_day = h.at::date
        and c.hour = extract(hour from h.at)::smallint
    group by m.mer_no, m.name, m.begun
    having sum(c.orders) filter (where c.state = ${State.failed}) > 0
      and sum(c.orders) filter (where ${isPaid} or c.state = ${State.failed}) >= $2
    order by failed desc, m.mer_no
    limit $3
  ) recent
  cross join lateral (
    select ${decidedText} from order_counts c
    where c.mer_no = recent.mer_no and c.local_day >= recent.begun::date - 7 and c.local_day <= recent.begun::date
      and (c.local_day < recent.begun::date or c.hour < extract(hour from recent.begun))
  ) usual
  order by recent.mer_no`
