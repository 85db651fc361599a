// Checks the sums that are stored to avoid adding up orders: daily totals and used limits.
import { type Check, inRange } from '../check.ts'

const cell = 'mer_no, local_day, state, currency, settle_currency, settled'
const cellText = `concat_ws(' ', local_day, 'state', state, currency, settle_currency, case when settled then 'settled' end)`
const sums = 'orders, source_amount, settle_amount'

export const sumChecks: readonly Check[] = [
  {
    name: 'daily-totals',
    rule: 'The totals of a day are the sums of its decided payments',
    text: `
      with stored as (
        select ${cell}, sum(orders) as orders, sum(source_amount) as source_amount, sum(settle_amount) as settle_amount
        from (
          select ${cell}, ${sums} from order_totals where ${inRange()}
          union all
          select ${cell}, ${sums} from order_total_deltas where ${inRange()}
        ) parts group by ${cell}
      ), added as (
        select mer_no, local_day, state, currency, settle_currency, settled_at is not null as settled,
          count(*) as orders, sum(amount) as source_amount, sum(coalesce(settle_amount, 0)) as settle_amount
        from orders where ${inRange()} and kind = 'payment' and state not in (1, 24, 25)
        group by mer_no, local_day, state, currency, settle_currency, settled_at is not null
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
    isGlobal: true,
    text: `
      with counted as (
        select mer_no, kind, method, local_day, usd_value, platform_limited from orders where state not in (6, 7)
      ), owned as (
        select mer_no, case kind when 'payout' then 'payout' else '' end as method, local_day, usd_value from counted
        union all
        select 0, case kind when 'payout' then 'payout' else method end, local_day, usd_value
        from counted where platform_limited
      ), daily as (
        select mer_no, method, local_day, sum(usd_value) as used from owned group by mer_no, method, local_day
      ), added as (
        select mer_no, method, local_day::text as period, used from daily
        union all
        select mer_no, method, to_char(local_day, 'YYYY-MM'), sum(used) from daily group by 1, 2, 3
      )
      select mer_no, concat_ws(' ', nullif(method, ''), period) as subject, coalesce(u.used, 0)::text as found,
        coalesce(a.used, 0)::text as expected
      from limit_usage u full join added a using (mer_no, method, period)
      where coalesce(u.used, 0) <> coalesce(a.used, 0)`,
  },
]
