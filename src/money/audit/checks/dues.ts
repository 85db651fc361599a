// Checks the rows of order_dues, the schedule of settlements and margin releases. A paid order has exactly one due for
// each settlement or margin release that is still open, and no due for one that is done.
import { type Check, inRange } from '../check.ts'
import { fingerprint, marginIsDue, orderSums, releasesAt, settlementIsDue, settlesAt } from './order-sums.ts'

const isSettlement = `kind = 'settle'`
/** True for a row that contains a margin release: the row of the order's settlement, or a separate row. */
const isMargin = `(kind = 'margin' or margin_at is not null)`
const releasedAt = `coalesce(margin_at, due_at)`

/** True if the times are equal or a time is null. The tolerance is for days that do not begin at midnight. */
const agrees = (found: string, expected: string) =>
  `coalesce(${found} between ${expected} - interval '2 hours' and ${expected} + interval '2 hours', true)`

export const dueChecks: readonly Check[] = [
  {
    name: 'order-dues',
    rule: "A paid order has one settlement due until it is settled, and one margin release due until it is released, as many days after the payment as the order's terms say",
    over: 'merchant sums',
    // Dues have no index by order. So fingerprints are compared first, and orders and dues are joined only for
    // merchants whose fingerprints differ.
    text: `
      with expected as (
        select mer_no, sum(settle_dues) as settlements, sum(margin_dues) as margins
        from ${orderSums.text} group by mer_no
      ), stored as (
        select mer_no, ${fingerprint(isSettlement, 'due_at')} as settlements,
          ${fingerprint(isMargin, releasedAt)} as margins
        from order_dues where ${inRange()} group by mer_no
      ), differing as materialized (
        select mer_no from expected e full join stored k using (mer_no)
        where coalesce(e.settlements, 0) <> coalesce(k.settlements, 0)
          or coalesce(e.margins, 0) <> coalesce(k.margins, 0)
      )
      select mer_no, trade_no as subject,
        format('%s settlements due at %s, %s margins at %s', settlements, settle_at, margins, margin_at) as found,
        format('%s settlements due at %s, %s margins at %s', settle_due, settles_at, margin_due, releases_at)
          as expected
      from differing, lateral (
        select trade_no, coalesce(settlements, 0) as settlements, coalesce(margins, 0) as margins,
          coalesce(settle_due, 0) as settle_due, coalesce(margin_due, 0) as margin_due,
          settle_at, margin_at, settles_at, releases_at
        from (
          select trade_no, ${settlementIsDue}::int as settle_due, ${marginIsDue}::int as margin_due,
            ${settlesAt} as settles_at, ${releasesAt} as releases_at
          from orders where orders.mer_no = differing.mer_no
        ) o full join (
          select trade_no, count(*) filter (where ${isSettlement}) as settlements,
            count(*) filter (where ${isMargin}) as margins, min(due_at) filter (where ${isSettlement}) as settle_at,
            min(${releasedAt}) filter (where ${isMargin}) as margin_at
          from order_dues where order_dues.mer_no = differing.mer_no group by trade_no
        ) d using (trade_no)
      ) dues
      where settlements <> settle_due or margins <> margin_due
        or not (${agrees('settle_at', 'settles_at')} and ${agrees('margin_at', 'releases_at')})`,
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
