// Checks the refunded and charged-back amounts of an order against the order's refunds and chargebacks. Also checks
// refunds, chargebacks and reviews against their order.
import { type Check, CLOCK_TOLERANCE, inSlice, isNear } from '../check.ts'

const slice = inSlice('mer_no', 'trade_no')

/**
 * Returns a condition that is true if `at` is not the time of the order's last change between these states. If there is
 * no such change, the condition is true if `at` is not null.
 */
const isUnexplained = (at: string, from: number, to: number) => `not coalesce((
  select coalesce(${isNear('e.at', at)}, false) from order_events e
  where ${inSlice('e.mer_no', 'e.trade_no')} and e.mer_no = o.mer_no and e.trade_no = o.trade_no
    and e.from_state = ${from} and e.to_state = ${to}
  order by e.version desc limit 1), ${at} is null)`

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
    // The expected state is that of the latest chargeback. By the rules, the latest chargeback is the open one, or else
    // a lost one. The times cannot show which chargeback is the latest: they may be equal, or come from two nodes.
    text: `
      select o.mer_no, o.trade_no as subject,
        format('charged back %s, %s', o.charged_back, coalesce(o.chargeback_state, 'none')) as found,
        format('charged back %s, %s', coalesce(c.amount, 0), coalesce(c.state, 'none')) as expected
      from slice_orders o left join (
        select mer_no, trade_no, sum(amount) filter (where state <> 'won') as amount,
          case when bool_or(state = 'open') then 'open' when bool_or(state = 'lost') then 'lost' else 'won' end as state
        from chargebacks where ${slice} and state in ('open', 'won', 'lost') group by mer_no, trade_no
      ) c using (mer_no, trade_no)
      where o.charged_back <> coalesce(c.amount, 0) or o.chargeback_state is distinct from c.state`,
  },
  {
    name: 'order-exception-fees',
    rule: 'The exception fees of an order are those of its refunds, except failed ones, and of its chargebacks, and the costs of its returns',
    text: `
      select o.mer_no, o.trade_no as subject, o.exception_fees::text as found, coalesce(f.fees, 0)::text as expected
      from slice_orders o left join (
        select mer_no, trade_no, sum(fee) as fees from (
          select mer_no, trade_no, refund_fee + amount - coalesce(returned_amount, amount) as fee
          from refunds where ${slice} and state <> 'failed'
          union all
          select mer_no, trade_no, fee from chargebacks where ${slice}
        ) fees group by mer_no, trade_no
      ) f using (mer_no, trade_no)
      where o.exception_fees <> coalesce(f.fees, 0)`,
  },
  {
    name: 'refund-payment',
    rule: 'A refund goes back through the attempt that was paid, in the currency of its order',
    text: `
      select r.mer_no, r.trade_no as subject,
        format('%s: %s, attempt %s, channel %s, reference %s, of %s %s', r.refund_no, r.mer_order_no, r.attempt_no,
          r.channel, r.attempt_ref, r.paid_amount, r.currency) as found,
        format('%s, attempt %s, channel %s, reference %s, of %s %s', o.mer_order_no, a.attempt_no, a.channel,
          a.channel_ref, o.paid, o.currency) as expected
      from refunds r left join slice_orders o using (mer_no, trade_no)
      left join paid_attempts a using (mer_no, trade_no)
      where ${inSlice('r.mer_no', 'r.trade_no')} and coalesce(o.is_recent, true)
        and (r.mer_order_no, r.attempt_no, r.channel, r.attempt_ref, r.paid_amount, r.currency)
          is distinct from (o.mer_order_no, a.attempt_no, a.channel, a.channel_ref, o.paid, o.currency)`,
  },
  {
    name: 'chargeback-order',
    rule: 'A chargeback or inquiry belongs to a paid order and ends after it was opened; a chargeback is in its currency',
    text: `
      select c.mer_no, c.trade_no as subject,
        format('%s %s in %s, opened at %s, ended at %s', c.chargeback_id, c.state, c.currency, c.opened_at, c.resolved_at)
          as found,
        'a paid order in ' || coalesce(o.currency, 'some currency') as expected
      from chargebacks c left join slice_orders o using (mer_no, trade_no)
      where ${inSlice('c.mer_no', 'c.trade_no')}
        and (o.is_paid is not true or (o.currency <> c.currency and c.state not in ('inquiry', 'closed'))
          or c.resolved_at < c.opened_at - ${CLOCK_TOLERANCE}
          or c.opened_at < o.decided_at - ${CLOCK_TOLERANCE}
          or (o.is_recent and c.state = 'lost' and not exists (
            select from order_events e where ${inSlice('e.mer_no', 'e.trade_no')} and e.mer_no = c.mer_no
              and e.trade_no = c.trade_no and e.to_state in (11, 17) and ${isNear('e.at', 'c.resolved_at')})))`,
  },
  {
    name: 'review-order',
    rule: 'A review and its order are in states that belong together, and each step of a review has its time',
    text: `
      select mer_no, trade_no as subject,
        format('review %s, order in state %s', coalesce(v.state, 'missing'), o.state) as found,
        'states and times that belong together' as expected
      from (select * from reviews where ${slice}) v
      full join (select * from slice_orders where state in (24, 25)) open using (mer_no, trade_no)
      left join slice_orders o using (mer_no, trade_no)
      where case coalesce(v.state, 'picked')
        when 'picked' then o.state in (1, 6, 7, 24) and coalesce(v.returns, 0) = 0
          and num_nonnulls(v.asked_at, v.submitted_at, v.decided_at) = 0
        when 'asked' then o.state = 24 and v.decided_at is null
        when 'submitted' then o.state = 25 and v.submitted_at is not null and v.decided_at is null
        when 'returning' then o.state in (24, 25) and v.returns > 0 and v.decided_at < v.ask_at + interval '1 day'
        when 'approved' then o.is_paid and ${isNear('v.decided_at', 'o.decided_at')}
        else o.state = 6 and v.decided_at is not null and v.decided_at < o.decided_at + ${CLOCK_TOLERANCE}
      end is not true or ${isUnexplained('v.submitted_at', 24, 25)} or ${isUnexplained('v.asked_at', 25, 24)}`,
  },
  {
    name: 'review-returns',
    rule: 'A review that operators decided counts no more returns of its money than the audit log has rejections',
    text: `
      select v.mer_no, v.trade_no as subject, v.returns || ' returns' as found, 'at most ' || l.rejections as expected
      from (select * from reviews where ${slice} and returns > 0) v cross join lateral (
        select count(*) as lines, count(*) filter (where l.action = 'review.reject') as rejections from audit_log l
        where l.mer_no = v.mer_no and l.subject = v.trade_no and starts_with(l.action, 'review.')
      ) l
      where l.lines > 0 and v.returns > l.rejections`,
  },
  {
    name: 'review-files',
    rule: 'A submitted file belongs to a review whose merchant has sent information',
    text: `
      select f.mer_no, f.trade_no as subject, 'file ' || f.file_id as found, 'a review with information' as expected
      from review_files f left join (select * from reviews where ${slice}) v using (mer_no, trade_no)
      where ${inSlice('f.mer_no', 'f.trade_no')} and f.trade_no is not null
        and v.submitted_at is null`,
  },
  {
    name: 'chargeback-evidence',
    rule: 'Evidence belongs to a chargeback or an inquiry, which was open when the evidence was added',
    text: `
      select e.mer_no, coalesce(c.trade_no, e.chargeback_id) as subject,
        format('%s of %s, added at %s', e.evidence_id, e.chargeback_id, e.added_at) as found,
        'an open chargeback' as expected
      from chargeback_evidence e left join chargebacks c using (mer_no, chargeback_id)
      where ${inSlice('e.mer_no', 'e.chargeback_id')} and (c.state is null
        or e.added_at not between c.opened_at - ${CLOCK_TOLERANCE}
          and coalesce(c.resolved_at, 'infinity') + ${CLOCK_TOLERANCE})`,
  },
]
