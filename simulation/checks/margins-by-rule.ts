// Computes the margin of each paid order by the documented rule, from its amount, terms, refunds and chargebacks.
import type { Check } from '../check.ts'
import type { World } from '../world/world.ts'

type Row = {
  readonly mer_order_no: string
  readonly margin: bigint
  readonly wanted_margin: bigint
  readonly margin_held: bigint
  readonly wanted_held: bigint
  readonly booked: bigint
}

export const marginsByRule: Check = {
  name: 'margins follow their rule',
  promise:
    'The margin is its share of the payment; refunds free it in proportion, chargebacks use it up, and its release ends it.',
  async run(world) {
    const rows = await readMargins(world)
    const findings = rows
      .filter(
        (row) =>
          row.margin !== row.wanted_margin ||
          row.margin_held !== row.wanted_held ||
          row.booked !== row.wanted_held,
      )
      .map((row) => ({
        what: `margin ${row.margin} and ${row.margin_held} held, expected ${row.wanted_margin} and ${row.wanted_held}, booked ${row.booked}`,
        about: row.mer_order_no,
        rows: row,
      }))
    return { compared: rows.length, findings }
  },
}

async function readMargins({ db, shops }: World): Promise<Row[]> {
  return await db.query<Row>({
    text: `
      with paid as (
        select o.*, least(coalesce(received, amount), amount) as paid from orders o
        where o.kind = 'payment' and o.state in (5, 9, 10, 11, 12, 17) and o.mer_no = any ($1::bigint[])
      ), refunded as (
        select mer_no, trade_no, sum(amount) as amount from refunds where state not in ('failed', 'returned')
        group by mer_no, trade_no
      ), taken as (
        select mer_no, subject, sum(case when debit = 'merchant:margin' then amount else 0 end) filter
            (where step like 'chargeback%') as disputed,
          sum(case when credit = 'merchant:margin' then amount when debit = 'merchant:margin' then -amount else 0 end) as booked
        from ledger_entries where 'merchant:margin' in (debit, credit) group by mer_no, subject
      )
      select p.mer_order_no, p.margin, floor((p.paid * p.margin_bps + 5000) / 10000)::bigint as wanted_margin, p.margin_held,
        (case when p.margin_released_at is not null then 0 else greatest(
          floor((p.paid * p.margin_bps + 5000) / 10000) - coalesce(t.disputed, 0)
            - coalesce(floor(floor((p.paid * p.margin_bps + 5000) / 10000) * r.amount / nullif(p.paid, 0)), 0), 0) end)::bigint as wanted_held,
        coalesce(t.booked, 0)::bigint as booked
      from paid p left join refunded r using (mer_no, trade_no)
        left join taken t on t.mer_no = p.mer_no and t.subject = p.trade_no`,
    values: [shops.map(({ merNo }) => merNo)],
  })
}
