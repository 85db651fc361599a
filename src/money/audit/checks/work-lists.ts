// Checks the work lists of workers: the hosted orders that have to end, and the rows to which a sweep has to give a due
// time. A row that is missing in its list would wait forever.
import { CHECKOUT } from '../../orders/new-order.ts'
import { State } from '../../orders/order.ts'
import { type Check, inSlice } from '../check.ts'

/** The upper bound for the payer's time on our page. */
const MOST_AHEAD = "interval '1 day'"

/** The first transaction whose rows the next sweep still finds. 0 if the stored number belongs to another server. */
const sweptUntil = (name: string) => `coalesce((
  select swept_until from sweeps s
  where s.name = '${name}' and s.cluster = (select system_identifier from pg_control_system())), 0)`
/** The number of the next transaction. A row with this number or a higher one was restored from another server. */
const next = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint'

export const workListChecks: readonly Check[] = [
  {
    name: 'hosted-orders',
    rule: 'An order without an attempt is in the list of orders on our pages until it ends, with an end within a day and the method of the order',
    text: `
      select mer_no, trade_no as subject,
        case when h.trade_no is null then 'not in the list' when o.trade_no is null then 'in the list, but no order'
          else format('in the list until %s, for %s', h.expires_at, coalesce(h.method, 'any method')) end as found,
        'in the list until it ends' as expected
      from slice_orders o full join (
        select * from hosted_orders where ${inSlice('mer_no', 'trade_no')}
      ) h using (mer_no, trade_no)
      where case when h.trade_no is null then o.kind = 'payment' and o.state = ${State.processing} and not exists (
            select from attempts a
            where a.mer_no = o.mer_no and a.trade_no = o.trade_no offset 0)
        when o.trade_no is null then true
        else o.kind <> 'payment' or h.method <> o.method
          or h.method is null and o.method <> '${CHECKOUT}' and not exists (
            select from attempts a where a.mer_no = o.mer_no and a.trade_no = o.trade_no offset 0)
          or h.expires_at not between o.created_at and greatest(o.created_at, now()) + ${MOST_AHEAD} end`,
  },
  {
    name: 'swept-rows',
    rule: 'A row without a due time was stored after the sweeps that have passed, so that the next sweep finds it',
    text: `
      select mer_no, trade_no as subject, 'call under way since transaction ' || made_in as found,
        'transaction ' || ${sweptUntil('orders')} || ' or later' as expected
      from slice_orders
      where attempt_state = 'calling' and (made_in::text::bigint < ${sweptUntil('orders')} or made_in::text::bigint >= ${next})
        and ${sweptUntil('orders')} > 0
      union all
      select mer_no, trade_no, notification_id || ' stored by transaction ' || stored_in,
        'transaction ' || ${sweptUntil('notifications')} || ' or later'
      from slice_notifications
      where due_at is null and leased_until is not null and ${sweptUntil('notifications')} > 0
        and (stored_in < ${sweptUntil('notifications')} or stored_in >= ${next})`,
  },
  {
    name: 'sweeps',
    rule: 'Each table that is swept has its progress, which is not ahead of the transactions',
    over: 'platform',
    text: `
      select 0::bigint as mer_no, name as subject, coalesce('swept until ' || s.swept_until, 'no progress') as found,
        'at most ' || ${next} as expected
      from (values ('orders'), ('notifications')) swept (name) full join sweeps s using (name)
      where swept.name is null or s.name is null
        or s.cluster = (select system_identifier from pg_control_system()) and s.swept_until > ${next}`,
  },
]
