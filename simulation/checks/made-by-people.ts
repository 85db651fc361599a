// Compares links, bulk refunds and payout runs with the orders and refunds that they led to.
import type { Check, Finding } from '../check.ts'

type Row = { readonly what: string; readonly subject: string }

export const madeByPeople: Check = {
  name: 'links, bulk refunds and runs are carried out once',
  promise:
    'A link for one use is paid once, a row of a bulk refund is one refund, and a line of a run is one payout, if it was approved.',
  async run({ db }) {
    const findings: Finding[] = []
    let compared = 0
    for (const text of [links, bulks, bulkRefunds, runs]) {
      const rows = await db.query<Row>({ text })
      compared += rows.length
      for (const { what, subject } of rows) if (what !== '') findings.push({ what, about: subject })
    }
    return { compared, findings }
  },
}

/**
 * The query leaves out orders that were paid after they were cancelled, because an operator may accept late money for
 * such an order.
 */
const links = `
  select case when count(*) filter (where o.state not in (1, 6, 7, 24, 25) and not exists (
      select from order_events h where h.mer_no = o.mer_no and h.trade_no = o.trade_no and h.from_state = 7)) > 1
    then 'a link for one use was paid twice' else '' end as what, l.link_id as subject
  from payment_links l join payment_link_orders p using (mer_no, link_id) join orders o using (mer_no, trade_no)
  where l.uses = 'one' group by l.mer_no, l.link_id`

const bulks = `
  select case when r.refund_no is null then 'a row of a bulk refund has no refund'
      when r.amount <> b.amount or r.trade_no <> b.trade_no then 'a row of a bulk refund has another refund' else '' end as what,
    b.bulk_id as subject
  from bulk_refund_rows b left join refunds r using (mer_no, refund_no) where b.state = 'accepted'`

/**
 * In the simulation, people ask for refunds only by bulk refunds, so each of their refunds must belong to exactly one
 * row.
 */
const bulkRefunds = `
  select case when count(b.row_no) = 1 then '' else 'a refund that a person asked for is ' || count(b.row_no) || ' rows' end as what,
    r.refund_no as subject
  from refunds r left join bulk_refund_rows b using (mer_no, refund_no)
  where r.asked_kind = 'user' group by r.mer_no, r.refund_no`

const runs = `
  select case
      when l.state = 'made' and (o.trade_no is null or o.trade_no <> l.trade_no or o.amount <> l.amount) then 'a line has another payout'
      when l.state <> 'made' and o.state = 5 then 'a line that is ' || l.state || ' was paid'
      when (u.state <> 'released') and l.state = 'made' then 'a run that is ' || u.state || ' was paid' else '' end as what,
    l.run_id as subject
  from payout_run_lines l join payout_runs u using (mer_no, run_id)
    left join orders o on o.mer_no = l.mer_no and o.mer_order_no = l.mer_order_no`
