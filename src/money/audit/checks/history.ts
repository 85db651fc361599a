// Checks the times in the history of orders and refunds.
import { type Check, CLOCK_TOLERANCE, inSlice, isNear } from '../check.ts'

const slice = inSlice('mer_no', 'trade_no')
const refundSlice = inSlice('mer_no', 'refund_no')
/** The beginning of the message of a refund that ended without an approval (money/refunds/approve-refund.ts). */
const NOT_APPROVED = 'The refund was not approved'
/** The state `cancelled` and the states of a review. The order's next change overwrites the time of entering them. */
const passing = '(7, 24, 25)'

export const timeChecks: readonly Check[] = [
  {
    name: 'order-history-time',
    rule: 'A row of a history has the time of what happened: the decision, an entry, an attempt, a chargeback or a review',
    text: `
      select e.mer_no, e.trade_no as subject, format('version %s at %s', e.version, e.at) as found,
        'the time of an event of the order' as expected
      from order_event_rows e join slice_orders o on o.mer_no = e.mer_no and o.trade_no = e.trade_no
      where ${inSlice('e.mer_no', 'e.trade_no')} and o.is_recent
        and (e.version = o.version or e.to_state not in ${passing})
        and not exists (
          select from (
            select mer_no, trade_no, decided_at as at from slice_orders
            union all
            select mer_no, subject, at from slice_entries
            union all
            select mer_no, trade_no, decided_at from attempt_rows where ${slice}
            union all
            select mer_no, trade_no, resolved_at from chargebacks where ${slice}
            union all
            select mer_no, trade_no, unnest(array[asked_at, submitted_at, decided_at]) from reviews where ${slice}
          ) happened
          where happened.mer_no = e.mer_no and happened.trade_no = e.trade_no and ${isNear('e.at', 'happened.at')}
        )`,
  },
  {
    name: 'refund-history',
    rule: 'A refund has the state, the version and the time of the last row of its history, and each row begins where the previous one ended',
    text: `
      select mer_no, refund_no as subject,
        format('%s, version %s, decided at %s', r.state, r.version, r.decided_at) as found,
        format('%s, version %s, changed at %s', last.to_state, last.version, last.at) as expected
      from (select * from refunds where ${refundSlice}) r full join (
        select distinct on (mer_no, refund_no) mer_no, refund_no, to_state, version, at
        from refund_events where ${refundSlice} order by mer_no, refund_no, version desc
      ) last using (mer_no, refund_no)
      where r.state is null or r.version <> coalesce(last.version, 1)
        or r.state <> coalesce(last.to_state, case when r.state = 'waiting' then 'waiting' else 'calling' end)
        or (r.state in ('succeeded', 'failed', 'returned')) <> (r.decided_at is not null)
        or not ${isNear('r.decided_at', 'last.at')} or (r.state = 'calling' and last.at > r.ask_at + ${CLOCK_TOLERANCE})
      union all
      select mer_no, refund_no, format('version %s from %s at %s', version, from_state, at),
        format('version %s from %s', place + 1, before)
      from (
        select mer_no, refund_no, version, from_state, to_state, at, why, row_number() over own as place, lag(to_state) over own as before,
          lag(at) over own as earlier
        from refund_events where ${refundSlice}
        window own as (partition by mer_no, refund_no order by version)
      ) chain
      where version <> place + 1 or from_state <> coalesce(before, from_state) or from_state = to_state
        or (before is null and (from_state not in ('waiting', 'calling')
          or (from_state = 'waiting') <> (to_state = 'calling' or starts_with(why, '${NOT_APPROVED}')))) or at < earlier - ${CLOCK_TOLERANCE}`,
  },
]
