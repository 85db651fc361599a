// Checks the refunded and charged-back amounts of an order against its refunds and chargebacks.
import { type Check, inSlice } from '../check.ts'

const slice = inSlice('mer_no', 'trade_no')

export const afterPaymentChecks: readonly Check[] = [
  {
    name: 'order-refunds',
    rule: 'The refunded amount of an order is the sum of its refunds, except those that failed or came back',
    text: `
      select o.mer_no, o.trade_no as subject, format('refunded %s, %s open', o.refunded, o.refunds_open) as found,
        format('refunded %s, %s open', coalesce(r.amount, 0), coalesce(r.open, 0)) as expected
      from slice_orders o left join (
        select mer_no, trade_no, sum(amount) filter (where state not in ('failed', 'returned')) as amount,
          count(*) filter (where state not in ('succeeded', 'failed', 'returned')) as open
        from refunds where ${slice} group by mer_no, trade_no
      ) r using (mer_no, trade_no)
      where (o.refunded, o.refunds_open) <> (coalesce(r.amount, 0), coalesce(r.open, 0))`,
  },
  {
    name: 'order-chargebacks',
    rule: 'The charged-back amount of an order is the sum of its chargebacks, except won ones',
    text: `
      select o.mer_no, o.trade_no as subject,
        format('charged back %s, %s', o.charged_back, coalesce(o.chargeback_state, 'none')) as found,
        format('charged back %s, %s', coalesce(c.amount, 0), coalesce(c.state, 'none')) as expected
      from slice_orders o left join (
        select mer_no, trade_no, sum(amount) filter (where state <> 'won') as amount,
          (array_agg(state order by opened_at desc, chargeback_id desc))[1] as state
        from chargebacks where ${slice} and state in ('open', 'won', 'lost') group by mer_no, trade_no
      ) c using (mer_no, trade_no)
      where o.charged_back <> coalesce(c.amount, 0) or o.chargeback_state is distinct from c.state`,
  },
  {
    name: 'order-exception-fees',
    rule: 'The exception fees of an order are those of its refunds, except failed ones, and of its chargebacks',
    text: `
      select o.mer_no, o.trade_no as subject, o.exception_fees::text as found, coalesce(f.fees, 0)::text as expected
      from slice_orders o left join (
        select mer_no, trade_no, sum(fee) as fees from (
          select mer_no, trade_no, refund_fee as fee from refunds where ${slice} and state <> 'failed'
          union all
          select mer_no, trade_no, fee from chargebacks where ${slice}
        ) fees group by mer_no, trade_no
      ) f using (mer_no, trade_no)
      where o.exception_fees <> coalesce(f.fees, 0)`,
  },
]
