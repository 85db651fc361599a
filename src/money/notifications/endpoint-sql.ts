// Reads how the servers of merchants answered lately. No index finds attempts by their time. So the newest
// notifications of a merchant are read by their key, up to a bound, and then the attempts of each notification.
import type { Queryable } from '../../platform/postgres/db.ts'
import { arrayOf, int8, itself } from '../../platform/postgres/lists.ts'
import type { Endpoint } from './notification.ts'

/** The maximum number of attempts that are read for a notification, newest first. A round has nine attempts. */
const MOST_ATTEMPTS = 9

/** Matches addresses whose host ends in `.invalid`. The integration exam uses them to hold back notifications. */
const NO_SERVER = '^https?://[^/]+[.]invalid/'

const merchants = arrayOf(int8<number>(itself))

type Bounds = {
  /** The number of each merchant's newest notifications that are read. */
  readonly notifications: number
  /** The number of endpoints that are returned. */
  readonly limit: number
}

/** Selects the endpoints of the merchants' newest notifications, from the given id on, the worst endpoint first. */
export async function selectEndpoints(
  db: Queryable,
  merNos: readonly number[],
  from: string,
  bounds: Bounds,
): Promise<Endpoint[]> {
  const rows = await db.query<Omit<Endpoint, 'merNo'> & { readonly merNo: bigint }>({
    text: endpointsText(bounds),
    values: [merchants.value(merNos), from],
  })
  return rows.map((row) => ({ ...row, merNo: Number(row.merNo) }))
}

// The first acknowledged attempt is in the notification's row. Every other attempt that has ended has its own row.
export const endpointsText = ({ notifications, limit }: Bounds) => `
  with recent as materialized (
    select n.*, coalesce(substring(n.url from '^[A-Za-z]+://[^/?#]+'), n.url) as origin
    from unnest(${merchants.text}) as g (mer_no)
    cross join lateral (
      select mer_no, notification_id, url, delivered_at, acked_attempt, acked_status from notifications
      where mer_no = g.mer_no and notification_id >= $2 and url !~ '${NO_SERVER}'
      order by notification_id desc limit ${notifications}
    ) n
  ), ended as (
    select mer_no, origin, delivered_at as at, acked_status as status, null as error
    from recent where acked_attempt is not null
    union all
    select r.mer_no, r.origin, a.finished_at, a.status, a.error
    from recent r cross join lateral (
      select finished_at, status, error from notification_attempts
      where mer_no = r.mer_no and notification_id = r.notification_id
        and attempt_no is distinct from r.acked_attempt and finished_at is not null
      order by attempt_no desc limit ${MOST_ATTEMPTS}
    ) a
  )
  select mer_no as "merNo", origin, count(*)::int as attempts,
    (count(*) filter (where error is null))::int as acknowledged, max(at) as "lastAt",
    (array_agg(status order by at desc))[1] as status, (array_agg(error order by at desc))[1] as error
  from ended group by mer_no, origin
  order by (count(*) filter (where error is null))::float8 / count(*), max(at) desc limit ${limit}`

/**
 * Selects two groups of merchants: merchants for whom the gateway gave up a notification since `since`, and the
 * merchants with the lowest numbers that have notifications. Each group has at most `limit` merchants.
 */
export async function selectSomeMerchants(db: Queryable, since: Date, limit: number): Promise<number[]> {
  const rows = await db.query<{ mer_no: bigint }>({ text: someText, values: [since, limit] })
  return rows.map((row) => Number(row.mer_no))
}

const MOST_FAILED = 1_000

const someText = `
  with recursive given_up as (
    select distinct mer_no from (
      select mer_no from notifications where failed_at >= $1 order by failed_at desc limit ${MOST_FAILED}
    ) f limit $2
  ), all_merchants as (
    (select mer_no, 1 as place from notifications order by mer_no limit 1)
    union all
    select (select n.mer_no from notifications n where n.mer_no > m.mer_no order by n.mer_no limit 1), place + 1
    from all_merchants m where m.mer_no is not null and place < $2
  )
  select mer_no from given_up
  union
  select mer_no from all_merchants where mer_no is not null`
