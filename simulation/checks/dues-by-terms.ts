// Computes, from the terms of each paid order, when the settlement and the release of the margin are due.
import type { Check } from '../check.ts'
import type { World } from '../world/world.ts'

type Row = {
  readonly mer_order_no: string
  readonly settle_right: boolean
  readonly margin_right: boolean
  readonly found: unknown
}

export const duesByTerms: Check = {
  name: 'dues follow the terms',
  promise:
    'A paid order that is not settled is due after the days of its terms, and so is its margin; what is done is due no more.',
  async run(world) {
    const rows = await readDues(world)
    const findings = rows
      .filter((row) => !row.settle_right || !row.margin_right)
      .map((row) => ({
        what: `the ${row.settle_right ? 'release of the margin' : 'settlement'} is not due as the terms say`,
        about: row.mer_order_no,
        rows: row,
      }))
    return { compared: rows.length, findings }
  },
}

/** SQL for the start of the day that is `days` days after the payment, in the merchant's time zone. */
const day = (days: string) =>
  `((date_trunc('day', o.decided_at at time zone o.timezone) + make_interval(days => ${days})) at time zone o.timezone)`

async function readDues({ db, shops }: World): Promise<Row[]> {
  return await db.query<Row>({
    text: `
      select o.mer_order_no,
        case when o.settled_at is null then settle.dues = array[${day('o.settle_days')}] else settle.dues is null end as settle_right,
        case when o.margin_released_at is null and o.margin > 0 then margin.dues = array[${day('o.margin_days')}]
          else margin.dues is null end as margin_right,
        json_build_object('settle', settle.dues, 'margin', margin.dues, 'paid', o.decided_at) as found
      from orders o
        cross join lateral (select array_agg(due_at) as dues from order_dues d
          where d.mer_no = o.mer_no and d.trade_no = o.trade_no and d.kind = 'settle') settle
        cross join lateral (select array_agg(coalesce(margin_at, due_at)) as dues from order_dues d
          where d.mer_no = o.mer_no and d.trade_no = o.trade_no and (d.kind = 'margin' or d.margin_at is not null)) margin
      where o.kind = 'payment' and o.state in (5, 9, 10, 11, 12, 17) and o.mer_no = any ($1::bigint[])`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
