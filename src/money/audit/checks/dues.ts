// Checks that a paid order has exactly one row for each thing still due, and nothing left of what is done.
import { type Check, inRange } from '../check.ts'
import { fingerprint, orderSums } from './order-sums.ts'
import { marginIsDue, settlementIsDue } from './states.ts'

const isSettlement = `kind = 'settle'`
/** A margin waits in the row of its settlement, or has a row of its own. */
const isMargin = `(kind = 'margin' or margin_at is not null)`

export const dueChecks: readonly Check[] = [
  {
    name: 'order-dues',
    rule: 'A paid order has one settlement due until it is settled, and one margin release due until it is released',
    over: 'merchant sums',
    // Dues have no index by order. Fingerprints find the merchants whose dues differ; only for these are orders and dues joined.
    text: `
      with expected as (
        select mer_no, sum(settle_dues) as settlements, sum(margin_dues) as margins
        from ${orderSums.text} group by mer_no
      ), stored as (
        select mer_no, ${fingerprint(isSettlement)} as settlements, ${fingerprint(isMargin)} as margins
        from order_dues where ${inRange()} group by mer_no
      ), differing as materialized (
        select mer_no from expected e full join stored k using (mer_no)
        where coalesce(e.settlements, 0) <> coalesce(k.settlements, 0)
          or coalesce(e.margins, 0) <> coalesce(k.margins, 0)
      )
      select mer_no, trade_no as subject, format('%s settlements, %s margins due', settlements, margins) as found,
        format('%s settlements, %s margins due', settle_due, margin_due) as expected
      from differing, lateral (
        select trade_no, coalesce(settlements, 0) as settlements, coalesce(margins, 0) as margins,
          coalesce(settle_due, 0) as settle_due, coalesce(margin_due, 0) as margin_due
        from (
          select trade_no, ${settlementIsDue}::int as settle_due, ${marginIsDue}::int as margin_due
          from orders where orders.mer_no = differing.mer_no
        ) o full join (
          select trade_no, count(*) filter (where ${isSettlement}) as settlements,
            count(*) filter (where ${isMargin}) as margins
          from order_dues where order_dues.mer_no = differing.mer_no group by trade_no
        ) d using (trade_no)
      ) dues
      where settlements <> settle_due or margins <> margin_due`,
  },
  {
    name: 'order-done',
    rule: 'A settled order has no remainder, and an order whose margin was released has no margin left',
    text: `
      select mer_no, trade_no as subject, format('unsettled %s, margin %s', remainder, margin_held) as found,
        'none' as expected
      from slice_orders
      where kind = 'payment' and ((settled_at is not null and remainder <> 0)
        or (margin_released_at is not null and margin_held <> 0))`,
  },
]
