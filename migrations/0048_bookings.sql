-- The entries of one booking in one row: a payment writes one row and one index entry instead of four.
-- `ledger_entries` stays as a view with the same columns.

lock table ledger_entries in access exclusive mode;

create table bookings (
  mer_no   bigint not null,
  subject  text not null,
  -- The name of the booking: with the subject it can be booked once only.
  step     text not null,
  currency text not null,
  at       timestamptz not null,
  -- One element for each leg: its step, the two accounts, and the amount.
  steps    text[] not null,
  debited  text[] not null,
  credited text[] not null,
  amounts  bigint[] not null
);

-- A booking has the name that the program gives it from now on, so that what was booked before is not booked again. An entry
-- that has another time or currency than the first one of its booking was changed by hand: it stays alone. Rows lie in order of
-- time, as they were booked: otherwise the index by time could leave nothing out.
insert into bookings (mer_no, subject, step, currency, at, steps, debited, credited, amounts)
select mer_no, subject, name, currency, at,
  array_agg(step order by step <> name, step), array_agg(debit order by step <> name, step),
  array_agg(credit order by step <> name, step), array_agg(amount order by step <> name, step)
from (
  select mer_no, subject, step, debit, credit, currency, amount, at,
    case when (at, currency) = (first_value(at) over own, first_value(currency) over own) then booking else step end as name
  from (
    select *,
      case
        when step in ('payment', 'handling-fee', 'processing-fee', 'margin') then 'payment'
        when step = 'payout:fee' then 'payout:sent'
        when step ~ '^(refund|refund-failed|refund-returned|chargeback|chargeback-won):'
          then split_part(step, ':', 1) || ':' || split_part(step, ':', 2)
            || case when step like '%:exchanged' then ':exchanged' else '' end
        else step
      end as booking
    from ledger_entries
  ) named
  window own as (partition by mer_no, subject, booking order by step <> booking, at, step)
) entries
group by mer_no, subject, name, currency, at
order by at;

drop table ledger_entries;

alter table bookings
  add primary key (mer_no, subject, step),
  add constraint bookings_have_legs check (
    cardinality(steps) > 0 and cardinality(debited) = cardinality(steps) and cardinality(credited) = cardinality(steps)
    and cardinality(amounts) = cardinality(steps)),
  add constraint bookings_above_zero check (0 < all (amounts));

create index bookings_by_time on bookings using brin (at) with (pages_per_range = 32, autosummarize = on);

create trigger bookings_append_only before update or delete or truncate on bookings
  for each statement execute function refuse_change();

create view ledger_entries as
select b.mer_no, b.subject, leg.step, leg.debit, leg.credit, b.currency, leg.amount, b.at
from bookings b cross join lateral unnest(b.steps, b.debited, b.credited, b.amounts) as leg (step, debit, credit, amount);

-- The table was filled within this transaction: without figures its first readers would get poor plans.
analyze bookings;
