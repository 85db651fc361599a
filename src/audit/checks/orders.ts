// Checks the amounts of each order against each other, against its ledger entries and against its attempts.
import { type Check, inSlice } from '../check.ts'

const settledByEntries = 'case when is_foreign then e_exchange else e_available end'
/** Its money arrived: it was paid, is in review, or was in review and is returned. */
const hasMoney = '(o.is_paid or o.state in (24, 25) or r.trade_no is not null)::int'

export const orderChecks: readonly Check[] = [
  {
    name: 'order-parts',
    rule: 'The parts of a paid order add up to the amount paid, and an unpaid order has no parts',
    text: `
      select mer_no, trade_no as subject, parts::text as found, paid::text as expected
      from (
        select mer_no, trade_no, paid,
          fees + refunded + charged_back + margin_held + remainder + settled_source as parts
        from slice_orders where kind = 'payment'
      ) order_parts
      where parts <> paid`,
  },
  {
    name: 'order-entries',
    rule: "An order's remainder, margin, fees and settled amount equal the sums of its ledger entries",
    text: `
      select mer_no, trade_no as subject,
        format('unsettled %s, margin %s, fees %s, settled %s', remainder, margin_held, fees, settled_source) as found,
        format('unsettled %s, margin %s, fees %s, settled %s', e_unsettled, e_margin, e_fees, ${settledByEntries})
          as expected
      from slice_orders
      where kind = 'payment' and (remainder <> e_unsettled or margin_held <> e_margin or fees <> e_fees
        or settled_source <> ${settledByEntries})`,
  },
  {
    name: 'order-conversion',
    rule: "The amount settled in another currency is the order's settled amount at its own rate",
    text: `
      select mer_no, trade_no as subject, e_available::text as found, converted::text as expected
      from slice_orders
      where kind = 'payment' and is_paid and is_foreign and entries > 0
        and coalesce(abs(e_available - converted) > tolerated, true)`,
  },
  {
    name: 'order-paid-once',
    rule: 'A paid order has one payment entry of the amount paid, and an unpaid order has none',
    text: `
      select mer_no, trade_no as subject, payment_entries || ' entries of ' || payment_amount as found,
        is_paid::int || ' entries of ' || paid as expected
      from slice_orders
      where kind = 'payment' and (payment_entries <> is_paid::int or payment_amount <> paid)`,
  },
  {
    name: 'order-attempts',
    rule: 'An order whose money arrived has one succeeded attempt, and any other order has none',
    text: `
      select o.mer_no, o.trade_no as subject, coalesce(a.succeeded, 0) || ' succeeded' as found,
        ${hasMoney} || ' succeeded' as expected
      from slice_orders o left join (
        select mer_no, trade_no, count(*) as succeeded from attempts
        where ${inSlice('mer_no', 'trade_no')} and state = 'succeeded' group by mer_no, trade_no
      ) a using (mer_no, trade_no) left join (
        select mer_no, trade_no from reviews where ${inSlice('mer_no', 'trade_no')} and state = 'rejected'
      ) r using (mer_no, trade_no)
      where o.kind = 'payment' and coalesce(a.succeeded, 0) <> ${hasMoney}`,
  },
]
