// Checks deposits against their attempts, their owners, and the booked money.
import { referenceText, State } from '../../orders/order.ts'
import { STATED } from '../../payments/deposits/deposit.ts'
import { type Check, inSlice } from '../check.ts'

const slice = inSlice('mer_no', 'trade_no')

/** The deposits of a slice, each with its attempt. */
const attempted = `
  select d.*, a.channel, a.state as attempt_state, o.currency as order_currency
  from deposits d
  left join attempts a on a.mer_no = d.mer_no and a.trade_no = d.trade_no and a.attempt_no = d.attempt_no
    and ${inSlice('a.mer_no', 'a.trade_no')}
  left join slice_orders o on o.mer_no = d.mer_no and o.trade_no = d.trade_no
  where ${inSlice('d.mer_no', 'd.trade_no')}`

export const depositChecks: readonly Check[] = [
  {
    name: 'deposit-owner',
    rule: 'A deposit belongs to the attempt that its channel reported it for first',
    text: `
      select d.mer_no, d.trade_no as subject,
        format('%s at %s belongs to %s', d.deposit_ref, coalesce(d.channel, 'no channel'), coalesce(w.reference, 'nobody'))
          as found,
        ${referenceText('d')} as expected
      from (${attempted}) d left join lateral (
        select reference from deposit_owners w where w.channel = d.channel and w.deposit_ref = d.deposit_ref limit 1
      ) w on true
      where w.reference is distinct from ${referenceText('d')}`,
  },
  {
    name: 'deposit-owned',
    rule: 'A deposit that an attempt owns is stored for its order, unless an operator had stated it',
    over: 'platform',
    text: `
      select 0::bigint as mer_no, w.deposit_ref as subject, 'only its owner, ' || w.reference as found,
        'the deposit' as expected
      from deposit_owners w left join (
        select trade_no, deposit_ref from deposits
      ) d on d.trade_no = 'T' || substr(w.reference, 2, 26) and d.deposit_ref = w.deposit_ref
      where d.deposit_ref is null and not starts_with(w.deposit_ref, '${STATED}')`,
  },
  {
    name: 'deposit-state',
    rule: "A deposit paid an attempt that succeeded, in the order's currency, or its money is booked to suspense",
    text: `
      select d.mer_no, d.trade_no as subject, format('%s %s of attempt %s (%s) in %s', d.deposit_ref, d.state,
          d.attempt_no, coalesce(d.attempt_state, 'missing'), d.currency) as found,
        'taken by a success in ' || d.order_currency || ', or in suspense' as expected
      from (${attempted}) d left join (
        select mer_no, trade_no, attempt_no, reference from suspense
        where ${slice} and trade_no is not null and origin = 'channel'
      ) s on s.mer_no = d.mer_no and s.trade_no = d.trade_no and s.attempt_no = d.attempt_no
        and s.reference = d.deposit_ref
      where d.state = 'waiting'
          and (coalesce(d.attempt_state, '') not in ('calling', 'pending', 'unknown') or d.withdrawn > 0)
        or d.state = 'taken' and (d.attempt_state is distinct from 'succeeded' or d.currency <> d.order_currency
          or s.reference is not null)`,
  },
  {
    name: 'deposit-waiting',
    rule: 'An order that waits for the rest of its amount has received the deposits that wait with it',
    text: `
      select mer_no, trade_no as subject, coalesce(o.received::text, 'nothing') || ' received' as found,
        format('%s wait', w.amount) as expected
      from (
        select mer_no, trade_no, currency, sum(amount) as amount from deposits
        where ${slice} and state = 'waiting' group by mer_no, trade_no, currency
      ) w join slice_orders o using (mer_no, trade_no, currency)
      where o.state = ${State.processing} and o.is_recent and o.received is distinct from w.amount`,
  },
  {
    name: 'deposit-sums',
    rule: 'The deposits of an attempt are booked, for its order or to suspense; money that no statement lists is not booked beyond them',
    text: `
      with reported as (
        select mer_no, trade_no, attempt_no, currency,
          coalesce(sum(amount - withdrawn) filter (where state = 'taken'), 0) as taken,
          coalesce(sum(amount - withdrawn) filter (where state = 'suspense'), 0) as kept
        from deposits where ${slice} group by mer_no, trade_no, attempt_no, currency
      ), held as (
        select mer_no, trade_no, attempt_no, currency, sum(amount) as held
        from suspense
        where ${slice} and trade_no is not null and origin <> 'split' and state <> 'withdrawn' and line_no is null
          and not (origin = 'statement' and starts_with(reference, 'assigned:'))
        group by mer_no, trade_no, attempt_no, currency
      ), listed as (
        select distinct mer_no, trade_no, attempt_no from statement_lines where ${slice} and trade_no is not null
      )
      select mer_no, trade_no as subject,
        format('attempt %s paid %s, %s in suspense', attempt_no, paid, held) as found,
        format('deposits of %s %s, %s in suspense', taken + kept, currency, kept) as expected
      from (
        select r.*, coalesce(h.held, 0) as held, l.trade_no is not null as is_listed,
          case when a.state = 'succeeded' and not p.was_accepted and o.currency = r.currency
            then least(coalesce(o.received, o.amount), o.amount) else 0 end as paid
        from reported r
        join attempts a on a.mer_no = r.mer_no and a.trade_no = r.trade_no and a.attempt_no = r.attempt_no
          and ${inSlice('a.mer_no', 'a.trade_no')}
        join slice_orders o on o.mer_no = r.mer_no and o.trade_no = r.trade_no
        left join paid_attempts p on p.mer_no = r.mer_no and p.trade_no = r.trade_no
        left join held h on h.mer_no = r.mer_no and h.trade_no = r.trade_no and h.attempt_no = r.attempt_no
          and h.currency = r.currency
        left join listed l on l.mer_no = r.mer_no and l.trade_no = r.trade_no and l.attempt_no = r.attempt_no
      ) sums
      where held < kept or paid + held < taken + kept or paid + held > taken + kept and not is_listed`,
  },
]
