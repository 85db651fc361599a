// Checks payment links against the orders that payers made with them, and against the audit log.
import { decimalsByCurrency } from '../../../platform/base/currency.ts'
import { type Check, inSlice } from '../check.ts'

const decimals = `'${JSON.stringify(decimalsByCurrency())}'::json`
/** True if the audit log has the link's money: the amount, or only the currency if the payer enters the amount. */
const isLoggedMoney = `case when l.amount is null then made.after ->> 'money' = l.currency
  else made.after -> 'money' ->> 'currency' = l.currency and (made.after -> 'money' ->> 'amount')::numeric
    * power(10::numeric, (${decimals} ->> l.currency)::int) = l.amount end`

/** The state of the link after the action in a line of the audit log. */
const stateAfter = `case action when 'link.switch-off' then 'off' when 'link.stop' then 'stopped' else 'active' end`
/** True if a command made the link: the back office would have written a line by the name of the creator. */
const isOfCommand = `not exists (
  select from audit_log c where c.mer_no = l.mer_no and c.actor = l.created_by and c.action = 'link.create' offset 0)`
/** The tolerance for the clocks of nodes: the lines that two nodes wrote may be in another order than the changes. */
const AT_ONCE = "interval '1 day'"

export const linkChecks: readonly Check[] = [
  {
    name: 'link-orders',
    rule: 'An order of a payment link has the currency of the link and an amount that the link allows; a link for one use is claimed by one of its orders',
    text: `
      select l.mer_no, l.link_id as subject,
        format('claimed by %s; %s order %s: %s %s at %s', coalesce(l.claimed_by, 'no order'), l.uses, l.trade_no, o.amount,
          o.currency, o.created_at) as found,
        format('%s %s, %s to %s, at %s', l.amount, l.currency, l.least, l.most, l.ordered_at) as expected
      from (
        select coalesce(l.mer_no, p.mer_no) as mer_no, coalesce(l.link_id, p.link_id) as link_id, l.currency, l.amount,
          l.least, l.most, l.uses, l.claimed_by, l.created_at, l.notify_url, l.method, l.expires_at, p.trade_no, p.created_at as ordered_at,
          l.link_id is not null as is_known, bool_or(p.trade_no = l.claimed_by) over (partition by l.mer_no, l.link_id) as is_claimed
        from (select * from payment_links where ${inSlice('mer_no', 'link_id')}) l
        full join (select * from payment_link_orders where ${inSlice('mer_no', 'link_id')}) p using (mer_no, link_id)
      ) l left join lateral (
        select currency, amount, created_at, kind, notify_url, method from orders o
        where o.mer_no = l.mer_no and o.trade_no = l.trade_no limit 1
      ) o on true
      where not is_known
        or l.claimed_by is not null and is_claimed is not true
        or l.claimed_by is null and l.uses = 'one' and l.trade_no is not null
        or l.trade_no is not null and (o.kind = 'payment' and o.currency = l.currency and o.created_at = l.ordered_at
          and o.notify_url = l.notify_url and l.created_at <= l.ordered_at + interval '1 day'
          and coalesce(o.created_at < l.expires_at, true) and coalesce(o.method = l.method, true)
          and coalesce(o.amount = l.amount, o.amount between coalesce(l.least, 1) and coalesce(l.most, o.amount))) is not true`,
  },
  {
    name: 'link-content',
    rule: 'A payment link that a person made is as the audit log says: when, for which money and how many uses, and whether it was switched off or stopped',
    // The command that makes a link for going live writes no line `link.create`.
    text: `
      select l.mer_no, l.link_id as subject,
        format('%s, %s %s for %s use, by %s at %s', l.state, l.amount, l.currency, l.uses, l.created_by, l.created_at)
          as found,
        format('%s, %s for %s use, by %s at %s', coalesce(array_to_string(switched.states, ' or '), 'active'), made.after -> 'money',
          made.after ->> 'uses', made.actor, made.at) as expected
      from payment_links l left join lateral (
        select at, actor, after from audit_log
        where mer_no = l.mer_no and subject = l.link_id and action = 'link.create' offset 0
      ) made on true left join lateral (
        select array_agg(state) as states from (
          select ${stateAfter} as state, at, max(at) over () as last from audit_log
          where mer_no = l.mer_no and subject = l.link_id
            and action in ('link.switch-off', 'link.switch-on', 'link.stop', 'link.resume')
        ) lines where at >= last - ${AT_ONCE}
      ) switched on true
      where ${inSlice('l.mer_no', 'l.link_id')} and not (made.at is null and ${isOfCommand}) and (made.at is distinct from l.created_at or made.actor <> l.created_by
        or made.after ->> 'uses' <> l.uses or (${isLoggedMoney}) is not true or l.state <> all (coalesce(switched.states, '{active}')))`,
  },
  {
    name: 'link-paid-once',
    rule: 'A payment link for one use has at most one order that waits or was paid, unless an operator accepted late money',
    text: `
      select l.mer_no, l.link_id as subject, string_agg(o.trade_no, ', ' order by o.trade_no) as found, 'one' as expected
      from payment_links l
      join payment_link_orders p on p.mer_no = l.mer_no and p.link_id = l.link_id
        and ${inSlice('p.mer_no', 'p.link_id')}
      cross join lateral (
        select trade_no from orders o
        where o.mer_no = p.mer_no and o.trade_no = p.trade_no and o.state not in (6, 7) and not exists (
          select from suspense s where s.mer_no = o.mer_no and s.trade_no = o.trade_no and s.state = 'accepted')
        offset 0
      ) o
      where ${inSlice('l.mer_no', 'l.link_id')} and l.uses = 'one'
      group by l.mer_no, l.link_id having count(*) > 1`,
  },
  {
    name: 'link-of-order',
    rule: 'An order that was made by a payment link is listed with that link',
    text: `
      select mer_no, trade_no as subject, 'not among the orders of its link' as found, link_id as expected
      from (
        select o.mer_no, o.trade_no, d.details::json ->> 'paymentLink' as link_id
        from slice_orders o join order_details d on d.mer_no = o.mer_no and d.trade_no = o.trade_no
          and ${inSlice('d.mer_no', 'd.trade_no')}
        where o.kind = 'payment' and o.mer_order_no ~ '^PL-[2-9A-HJ-NP-Z]{12}$'
      ) made
      where link_id is not null and not exists (
        select from payment_link_orders p
        where p.mer_no = made.mer_no and p.link_id = made.link_id and p.trade_no = made.trade_no offset 0)`,
  },
]
