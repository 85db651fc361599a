/**
 * The cells of a merchant's days: folded totals, deltas that wait to be folded, and undecided orders, counted directly: with
 * an open attempt, hosted, or in review. One statement reads all, so it is consistent.
 * $1 is the merchant, $2 the first day and $3 the last.
 */
export const cellsText = `
  select local_day, state, currency, settle_currency, settled, orders, source_amount, settle_amount
  from order_totals where mer_no = $1 and local_day between $2 and $3
  union all
  select
    local_day, state, currency, settle_currency, settled, orders[array_position(mer_nos, $1::bigint)],
    source_amounts[array_position(mer_nos, $1::bigint)], settle_amounts[array_position(mer_nos, $1::bigint)]
  from order_total_deltas where $1::bigint = any (mer_nos) and local_day between $2 and $3
  union all
  select o.local_day, o.state, o.currency, o.settle_currency, false, 1, o.amount, 0
  from (
    select trade_no from attempt_rows where mer_no = $1 and ask_at is not null
    union
    select calls_under_way($1)
    union
    select trade_no from hosted_orders where mer_no = $1
    union
    select trade_no from orders where mer_no = $1 and needs_review and state in (24, 25)
  ) a
  cross join lateral (
    -- The limit keeps the planner from reading all orders instead of these few, whatever it believes of the table.
    select local_day, state, currency, settle_currency, amount, kind from orders
    where mer_no = $1 and trade_no = a.trade_no limit 1
  ) o
  where o.local_day between $2 and $3 and o.kind = 'payment' and o.state in (1, 24, 25)`
