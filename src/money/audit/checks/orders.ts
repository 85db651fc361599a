// Checks the amounts of each order against each other, against the order's ledger entries and against its attempts.
// Also checks that an order's state is the last state of its history.
import { State } from '../../orders/order.ts'
import { type Check, inSlice, isNear } from '../check.ts'

const settledByEntries = 'case when is_foreign then e_exchange else e_available end'
/** 1 if the order's money arrived (the order was paid, is in review, or was rejected in a review), and otherwise 0. */
const hasMoney = '(o.is_paid or o.state in (24, 25) or r.trade_no is not null)::int'
/** A share of the amount paid in basis points, rounded half up as in money/orders/fees.ts. */
const shareOf = (bps: string) => `floor((paid::numeric * ${bps} + 5000) / 10000)::bigint`

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
    name: 'order-terms',
    rule: "The fees and the margin of a paid order follow from the amount paid and the order's own terms",
    text: `
      select mer_no, trade_no as subject,
        format('fees %s and %s, margin %s', handling_fee, processing_fee, margin) as found,
        format('fees %s and %s, margin %s', ${shareOf('fee_bps')}, fee_fixed, ${shareOf('margin_bps')}) as expected
      from slice_orders
      where kind = 'payment' and is_paid and not is_rescaled
        and (handling_fee, processing_fee, margin) is distinct from (${shareOf('fee_bps')}, fee_fixed, ${shareOf('margin_bps')})`,
  },
  {
    name: 'order-settlement',
    rule: "The settled amount of a paid order is the merchant's part of the amount paid at the order's rate, which only an order that settles in another currency has",
    text: `
      select mer_no, trade_no as subject, format('%s at %s', settle_amount, settle_rate) as found,
        case when is_foreign then settle_due::text else settle_due || ' without a rate' end as expected
      from slice_orders
      where kind = 'payment' and is_paid and not is_rescaled and (settle_amount is null
        or abs(settle_amount - settle_due) > tolerated or (is_recent and not is_foreign and settle_rate is not null))`,
  },
  {
    name: 'order-unpaid',
    rule: 'An order has fees, a margin and a remainder if it is paid, and none of them before',
    text: `
      select mer_no, trade_no as subject,
        concat_ws(', ', 'fees ' || (handling_fee + processing_fee), 'margin ' || margin, 'settled ' || settle_amount,
          'settled at ' || settled_at, 'margin released at ' || margin_released_at) as found,
        case when is_paid then 'all of them' else 'none of them' end as expected
      from slice_orders
      where kind = 'payment' and is_recent and case
        when is_paid then not has_remainder or (margin_released_at is not null and margin = 0)
        else has_remainder or num_nonnulls(handling_fee, processing_fee, margin, settle_amount, settled_at,
          margin_released_at) > 0
      end`,
  },
  {
    name: 'order-disputed-margin',
    rule: 'The margin that chargebacks used up is the sum of their ledger entries',
    text: `
      select mer_no, trade_no as subject, margin_disputed::text as found, e_disputed::text as expected
      from slice_orders where kind = 'payment' and is_recent and margin_disputed <> e_disputed`,
  },
  {
    name: 'order-received',
    rule: 'A payment has received its amount if it is paid, and what arrived for it otherwise; a payout receives nothing',
    text: `
      select o.mer_no, o.trade_no as subject, coalesce(o.received::text, 'nothing') as found,
        format('at most %s', greatest(o.due, d.arrived, s.arrived, 0)) as expected
      from (
        select *, case when kind = 'payment' and (is_paid or state in (24, 25)) then amount end as due
        from slice_orders where is_recent
      ) o left join (
        select mer_no, trade_no, currency, sum(amount) as arrived from deposits
        where ${inSlice('mer_no', 'trade_no')} group by mer_no, trade_no, currency
      ) d using (mer_no, trade_no, currency) left join (
        select mer_no, trade_no, currency, sum(amount) as arrived from suspense
        where ${inSlice('mer_no', 'trade_no')} group by mer_no, trade_no, currency
      ) s using (mer_no, trade_no, currency)
      where o.received > greatest(o.due, d.arrived, s.arrived, 0) or (o.received is null and o.due is not null)
        or (o.kind = 'payout' and o.received is not null)`,
  },
  {
    name: 'order-day',
    rule: "An order counts for the day of its creation in the merchant's time zone",
    text: `
      select mer_no, trade_no as subject, local_day::text as found,
        (created_at at time zone timezone)::date::text as expected
      from slice_orders where is_recent and local_day <> (created_at at time zone timezone)::date`,
  },
  {
    name: 'order-decided',
    rule: 'An order has the time of its decision once it no longer waits, and waits for a review only if it needs one',
    text: `
      select mer_no, trade_no as subject, format('state %s, decided at %s', state, decided_at) as found,
        case when state = 1 then 'not decided' else 'decided' end as expected
      from slice_orders where (state = 1) <> (decided_at is null) or (state in (24, 25) and not needs_review)`,
  },
  {
    name: 'order-details',
    rule: 'Every payment, and no payout, has what the merchant sent about payer and products',
    text: `
      select mer_no, trade_no as subject, coalesce(o.kind, 'no order') as found,
        case when d.trade_no is null then 'with details' else 'a payment' end as expected
      from (select mer_no, trade_no, kind from slice_orders) o full join (
        select mer_no, trade_no from order_details where ${inSlice('mer_no', 'trade_no')}
      ) d using (mer_no, trade_no)
      where (o.kind is not distinct from 'payment') <> (d.trade_no is not null)`,
  },
  {
    name: 'order-index',
    // While an order waits, its payer may choose another method, and the index follows some seconds later. So the
    // method is not compared then. An index that was emptied or is being rebuilt lacks rows, so a missing row is not a
    // finding.
    rule: 'A payment has the money and the day with which the search indexed it, and once it is decided also the method',
    text: `
      select o.mer_no, o.trade_no as subject, concat_ws(' ', o.method, o.amount, o.currency, 'on', o.local_day) as found,
        concat_ws(' ', i.method, i.amount, i.currency, 'on', i.local_day) as expected
      from slice_orders o join (
        select mer_no, trade_no, version, method, amount, currency, local_day from indexed_orders
        where ${inSlice('mer_no', 'trade_no')}
      ) i using (mer_no, trade_no)
      where (o.amount, o.currency, o.local_day) <> (i.amount, i.currency, i.local_day)
        or o.method <> i.method and o.version = i.version and (o.state <> ${State.processing} or not exists (
          select from hosted_orders h where h.mer_no = o.mer_no and h.trade_no = o.trade_no offset 0))`,
  },
  {
    name: 'order-attempts',
    rule: 'An order whose money arrived has one succeeded attempt, and any other order has none',
    text: `
      select o.mer_no, o.trade_no as subject, coalesce(a.succeeded, 0) || ' succeeded' as found,
        ${hasMoney} || ' succeeded' as expected
      from slice_orders o left join (
        select mer_no, trade_no, count(*) as succeeded from slice_attempts
        where state = 'succeeded' group by mer_no, trade_no
      ) a using (mer_no, trade_no) left join (
        select mer_no, trade_no from reviews where ${inSlice('mer_no', 'trade_no')} and state = 'rejected'
      ) r using (mer_no, trade_no)
      where o.kind = 'payment' and coalesce(a.succeeded, 0) <> ${hasMoney}`,
  },
]

// The checks of an order's state against its history.

export const historyChecks: readonly Check[] = [
  {
    name: 'order-history',
    rule: 'An order has the state and version of the last row of its history, and in review also its time; without history it is new',
    text: `
      select o.mer_no, o.trade_no as subject, format('state %s, version %s, at %s', o.state, o.version, o.decided_at) as found,
        format('state %s, version %s, at %s', coalesce(last.to_state, 1), coalesce(last.version, 1), last.at) as expected
      from slice_orders o left join (
        select distinct on (mer_no, trade_no) mer_no, trade_no, to_state, version, at
        from slice_events order by mer_no, trade_no, version desc
      ) last using (mer_no, trade_no)
      where (o.state, o.version) <> (coalesce(last.to_state, 1), coalesce(last.version, 1))
        or o.state in (24, 25)
          and not ${isNear('o.decided_at', 'last.at')}`,
  },
  {
    name: 'order-history-chain',
    rule: 'Each row of a history starts in the state in which the previous row ended',
    text: `
      select mer_no, trade_no as subject, 'version ' || version || ' from ' || from_state as found,
        'from ' || before as expected
      from (
        select mer_no, trade_no, version, from_state,
          lag(to_state, 1, 1::smallint) over (partition by mer_no, trade_no order by version) as before
        from slice_events
      ) chain
      where from_state <> before`,
  },
]
