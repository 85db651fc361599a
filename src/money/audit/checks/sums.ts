// Checks the sums that are stored to avoid adding up orders: daily totals and used limits.
import { type Check, inRange } from '../check.ts'
import { orderSums } from './order-sums.ts'

const cell = 'mer_no, local_day, state, currency, settle_currency, settled'
const cellText = `concat_ws(' ', local_day, 'state', state, currency, settle_currency, case when settled then 'settled' end)`
const sums = 'orders, source_amount, settle_amount'

/** Selects one row for each delta and merchant. A delta, a change that is not folded yet, lists many merchants. */
const deltas = `
  select
    unnest(mer_nos) as mer_no, local_day, state, currency, settle_currency, settled, unnest(orders) as orders,
    unnest(source_amounts) as source_amount, unnest(settle_amounts) as settle_amount
  from order_total_deltas`

/** Returns a query that compares used limits with the sums of all orders, except failed and cancelled orders. */
const usedLimits = (method: string, owner: string) => `
  with daily as (
    select mer_no, case kind when 'payout' then 'payout' else ${method} end as method, local_day, sum(usd_value) as used
    from ${orderSums.text} where state not in (6, 7) group by 1, 2, 3
  ), added as (
    select mer_no, method, local_day::text as period, used from daily
    union all
    select mer_no, method, to_char(local_day, 'YYYY-MM'), sum(used) from daily group by 1, 2, 3
  ), stored as (
    select mer_no, method, period, used from limit_usage where ${inRange()} and ${owner}
  )
  select mer_no, concat_ws(' ', nullif(method, ''), period) as subject, coalesce(u.used, 0)::text as found,
    coalesce(a.used, 0)::text as expected
  from stored u full join added a using (mer_no, method, period)
  where coalesce(u.used, 0) <> coalesce(a.used, 0)`

export const sumChecks: readonly Check[] = [
  {
    name: 'daily-totals',
    rule: 'The totals of a day are the sums of its decided payments',
    over: 'merchant sums',
    text: `
      with stored as (
        select ${cell}, sum(orders) as orders, sum(source_amount) as source_amount, sum(settle_amount) as settle_amount
        from (
          select ${cell}, ${sums} from order_totals where ${inRange()}
          union all
          select ${cell}, ${sums} from (${deltas}) waiting where ${inRange()}
        ) parts group by ${cell}
      ), added as (
        select ${cell}, sum(orders) as orders, sum(amount) as source_amount, sum(settle_amount) as settle_amount
        from ${orderSums.text} where kind = 'payment' and state not in (1, 24, 25)
        group by ${cell}
      )
      select mer_no, ${cellText} as subject,
        concat_ws('/', coalesce(k.orders, 0), coalesce(k.source_amount, 0), coalesce(k.settle_amount, 0)) as found,
        concat_ws('/', coalesce(a.orders, 0), coalesce(a.source_amount, 0), coalesce(a.settle_amount, 0)) as expected
      from stored k full join added a using (${cell})
      where coalesce(k.orders, 0) <> coalesce(a.orders, 0)
        or coalesce(k.source_amount, 0) <> coalesce(a.source_amount, 0)
        or coalesce(k.settle_amount, 0) <> coalesce(a.settle_amount, 0)`,
  },
  {
    name: 'used-limits',
    rule: 'The usage of a limit is the sum of all orders that did not fail',
    over: 'merchant sums',
    text: usedLimits(`''`, 'mer_no > 0'),
  },
  {
    name: 'platform-limits',
    rule: "The usage of the platform's limit is the sum of all orders of the method that did not fail",
    over: 'platform sums',
    text: usedLimits('method', 'mer_no = 0'),
  },
]
