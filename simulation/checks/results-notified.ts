// Compares final results with the outbox: each result has one notification, and each notification belongs to a result.
import type { Check } from '../check.ts'
import type { World } from '../world/world.ts'

type Row = {
  readonly trade_no: string
  readonly mer_order_no: string
  readonly event: string
  /** The result as the notification states it: the code, or the refund number and the refund's state. */
  readonly result: string
  readonly expected: number
  readonly found: number
}

export const resultsNotified: Check = {
  name: 'each final result has its notification',
  promise:
    'Each final result of an order, refund or chargeback has one notification that says it, and no other exists.',
  async run(world) {
    const rows = await compare(world)
    const findings = rows
      .filter(({ expected, found }) => expected !== found)
      .map((row) => ({
        what: `${row.found} notifications of ${row.event} ${row.result}, expected ${row.expected}`,
        about: row.mer_order_no,
        rows: row,
      }))
    return { compared: rows.length, findings }
  },
}

async function compare({ db, shops }: World): Promise<Row[]> {
  return await db.query<Row>({ text, values: [shops.map(({ merNo }) => merNo)] })
}

const text = `
  with expected as (
    select h.mer_no, h.trade_no, o.kind as event, case h.to_state when 5 then '0' else '1' end as result
    from order_events h join orders o using (mer_no, trade_no)
    where (h.from_state in (1, 7, 24, 25) and h.to_state in (5, 6, 7) or (h.from_state, h.to_state) = (5, 6))
      and o.notify_url <> ''
    union all
    select r.mer_no, r.trade_no, 'refund', refund_no || case h.to_state when 'succeeded' then ' 0' else ' 1' end
    from refund_events h join refunds r using (mer_no, refund_no)
    where h.to_state in ('succeeded', 'failed', 'returned') and r.notify_url <> ''
    union all
    select c.mer_no, c.trade_no, 'chargeback', code
    from chargebacks c join orders o using (mer_no, trade_no) join merchants m using (mer_no),
      unnest(case c.state when 'won' then array['1', '2'] when 'lost' then array['1', '3'] else array['1'] end) as code
    where (o.protest_notify_url <> '' or m.chargeback_url <> '') and c.state in ('open', 'won', 'lost')
  ), found as (
    select mer_no, trade_no, event,
      case event when 'refund' then (fields ->> 'refundNo') || ' ' || (fields ->> 'state') else fields ->> 'code' end as result
    from notifications where event <> 'review'
  ), both_sides as (
    select mer_no, trade_no, event, result, 1 as expected, 0 as found from expected
    union all
    select mer_no, trade_no, event, result, 0, 1 from found
  )
  select trade_no, coalesce(o.mer_order_no, '') as mer_order_no, event, result, sum(expected)::int as expected, sum(found)::int as found
  from both_sides left join orders o using (mer_no, trade_no)
  where mer_no = any ($1::bigint[])
  group by trade_no, o.mer_order_no, event, result`
