// Checks that a paid order has exactly one row for each thing still due, and nothing left of what is done.
import { type Check, inRange } from '../check.ts'
import { PAID } from './states.ts'

const isDue = (done: string) => `(o.state in ${PAID} and ${done} is null)::int`
const hasMargin = 'coalesce(o.margin, 0) > 0'

export const dueChecks: readonly Check[] = [
  {
    name: 'order-dues',
    rule: 'A paid order has one settlement due until it is settled, and one margin release due until it is released',
    text: `
      select mer_no, trade_no as subject, format('%s settlements, %s margins due', settlements, margins) as found,
        format('%s settlements, %s margins due', settle_due, margin_due) as expected
      from (
        select o.mer_no, o.trade_no, ${isDue('o.settled_at')} as settle_due,
          case when ${hasMargin} then ${isDue('o.margin_released_at')} else 0 end as margin_due,
          count(*) filter (where d.kind = 'settle') as settlements,
          count(*) filter (where d.kind = 'margin' or d.margin_at is not null) as margins
        from orders o left join order_dues d on d.mer_no = o.mer_no and d.trade_no = o.trade_no
        where ${inRange('o.mer_no')} and o.kind = 'payment'
        group by o.mer_no, o.trade_no
      ) dues
      where settlements <> settle_due or margins <> margin_due`,
  },
  {
    name: 'order-done',
    rule: 'A settled order has no remainder, and an order whose margin was released has no margin left',
    text: `
      select o.mer_no, o.trade_no as subject, format('unsettled %s, margin %s', o.remainder, o.margin_held) as found,
        'none' as expected
      from orders o
      where ${inRange('o.mer_no')} and o.kind = 'payment'
        and ((o.settled_at is not null and o.remainder <> 0)
          or (o.margin_released_at is not null and o.margin_held <> 0))`,
  },
]
