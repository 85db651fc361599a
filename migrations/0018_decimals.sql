-- Ariary and ouguiya get the two decimals of ISO 4217 (one before), ether nine (eighteen before): a sum of ten ether did
-- not fit a bigint. What is stored is counted anew; decimals as people read them stay, ether cut off below one gwei.
--
-- Entries of one subject between the same two accounts are rounded by their running sum, so that what was booked and booked
-- back still closes to zero; an entry of nothing goes, as none is ever booked. Then one entry per account moves what
-- rounding left to the exchange account: every balance is what it was, cut off, whatever it consists of, and those that
-- orders know the parts of are the sums of these.

create function pg_temp.rescaled(amount numeric, currency text) returns numeric language sql immutable as $$
  select trunc(amount * case currency when 'ETH' then 0.000000001 else 10 end)
$$;

create temporary table rescaled_currencies (currency text primary key) on commit drop;
insert into rescaled_currencies values ('ETH'), ('MGA'), ('MRU');

lock table orders, ledger_entries, balance_sums, balance_deltas, order_totals, order_total_deltas
  in share row exclusive mode;

create temporary table nets_before on commit drop as
select mer_no, account, currency, sum(debits) as debits, sum(credits) as credits
from (
  select mer_no, debit as account, currency, amount::numeric as debits, 0::numeric as credits from ledger_entries
  union all
  select mer_no, credit, currency, 0, amount from ledger_entries
) sides
where currency in (select currency from rescaled_currencies)
group by mer_no, account, currency;

-- Balances are made anew from the entries below: a difference between them must not vanish in that.
do $$
begin
  if exists (
    select from (
      select mer_no, account, currency, sum(debits) as debits, sum(credits) as credits
      from (
        select mer_no, account, currency, debits::numeric, credits::numeric from balance_sums
        union all
        select mer_no, unnest(accounts), currency, unnest(debits), unnest(credits) from balance_deltas
      ) parts
      where currency in (select currency from rescaled_currencies)
      group by mer_no, account, currency
    ) kept
    full join nets_before entered using (mer_no, account, currency)
    where coalesce(kept.debits, 0) <> coalesce(entered.debits, 0)
      or coalesce(kept.credits, 0) <> coalesce(entered.credits, 0)
  ) then
    raise exception 'balances in ETH, MGA or MRU differ from their ledger entries: start the version before, and run "ledger verify"';
  end if;
end $$;

-- What orders know of their own money.
create temporary view parts as
select mer_no, account, currency, sum(part) as part
from orders, lateral (
  values ('merchant:unsettled', coalesce(remainder, 0)), ('merchant:margin', margin_held)) as own (account, part)
where currency in (select currency from rescaled_currencies)
group by mer_no, account, currency;

create temporary table parts_before on commit drop as select mer_no, account, currency, part from parts;

alter table ledger_entries disable trigger ledger_entries_append_only;

create temporary table rescaled_entries on commit drop as
select mer_no, subject, step, abs(pg_temp.rescaled(running, currency) - pg_temp.rescaled(running - signed, currency)) as amount
from (
  select mer_no, subject, step, currency, signed,
    sum(signed) over (
      partition by mer_no, subject, currency, least(debit, credit), greatest(debit, credit) order by at, step) as running
  from (
    select *, case when debit < credit then amount else -amount end::numeric as signed
    from ledger_entries where currency in (select currency from rescaled_currencies)
  ) entries
) summed;

update ledger_entries e set amount = r.amount
from rescaled_entries r
where r.amount > 0 and (e.mer_no, e.subject, e.step) = (r.mer_no, r.subject, r.step);

delete from ledger_entries e using rescaled_entries r
where r.amount = 0 and (e.mer_no, e.subject, e.step) = (r.mer_no, r.subject, r.step);

update orders set settle_amount = pg_temp.rescaled(settle_amount, settle_currency)
where settle_currency in (select currency from rescaled_currencies);

update orders set
  amount = pg_temp.rescaled(amount, currency),
  fee_fixed = pg_temp.rescaled(fee_fixed, currency),
  received = pg_temp.rescaled(received, currency),
  handling_fee = pg_temp.rescaled(handling_fee, currency),
  processing_fee = pg_temp.rescaled(processing_fee, currency),
  margin = pg_temp.rescaled(margin, currency),
  remainder = pg_temp.rescaled(remainder, currency),
  settled_source = pg_temp.rescaled(settled_source, currency),
  margin_held = pg_temp.rescaled(margin_held, currency),
  margin_disputed = pg_temp.rescaled(margin_disputed, currency),
  refunded = pg_temp.rescaled(refunded, currency),
  charged_back = pg_temp.rescaled(charged_back, currency),
  exception_fees = pg_temp.rescaled(exception_fees, currency)
where currency in (select currency from rescaled_currencies);

-- A payment's parts still sum to what was paid: what rounding took from them goes to where its money lies.
update orders o set
  remainder = remainder + case when settled_at is null then missing else 0 end,
  settled_source = settled_source + case when settled_at is null then 0 else missing end
from (
  select mer_no, trade_no, coalesce(least(received, amount), amount) - handling_fee - processing_fee - exception_fees
    - refunded - charged_back - margin_held - remainder - settled_source as missing
  from orders
  where kind = 'payment' and currency = 'ETH' and remainder is not null
) rounded
where missing <> 0 and (o.mer_no, o.trade_no) = (rounded.mer_no, rounded.trade_no);

insert into ledger_entries (mer_no, subject, step, debit, credit, currency, amount, at)
select mer_no, 'migration-0018', account || ' ' || currency,
  case when missing > 0 then 'platform:exchange' else account end,
  case when missing > 0 then account else 'platform:exchange' end,
  currency, abs(missing), now()
from (
  select b.mer_no, b.account, b.currency,
    pg_temp.rescaled(b.credits - b.debits - coalesce(p.part, 0), b.currency) + coalesce(a.part, 0) - coalesce(n.net, 0)
      as missing
  from nets_before b
  left join parts_before p using (mer_no, account, currency)
  left join parts a using (mer_no, account, currency)
  left join (
    select mer_no, account, currency, sum(amount) as net
    from (
      select mer_no, credit as account, currency, amount from ledger_entries
      union all
      select mer_no, debit, currency, -amount from ledger_entries
    ) sides
    where currency in (select currency from rescaled_currencies)
    group by mer_no, account, currency
  ) n using (mer_no, account, currency)
) roundings
where missing <> 0 and account <> 'platform:exchange';

alter table ledger_entries enable trigger ledger_entries_append_only;

delete from balance_deltas where currency in (select currency from rescaled_currencies);
delete from balance_sums where currency in (select currency from rescaled_currencies);
insert into balance_sums (mer_no, account, currency, debits, credits)
select mer_no, account, currency, sum(debits), sum(credits)
from (
  select mer_no, debit as account, currency, amount as debits, 0 as credits from ledger_entries
  union all
  select mer_no, credit, currency, 0, amount from ledger_entries
) sides
where currency in (select currency from rescaled_currencies)
group by mer_no, account, currency;

delete from order_total_deltas where array[currency, settle_currency] && (select array_agg(currency) from rescaled_currencies);
delete from order_totals where array[currency, settle_currency] && (select array_agg(currency) from rescaled_currencies);
insert into order_totals (
  mer_no, local_day, state, currency, settle_currency, settled, orders, source_amount, settle_amount)
select mer_no, local_day, state, currency, settle_currency, settled_at is not null,
  count(*), sum(amount), sum(coalesce(settle_amount, 0))
from orders
where kind = 'payment' and state not in (1, 24, 25)
  and array[currency, settle_currency] && (select array_agg(currency) from rescaled_currencies)
group by mer_no, local_day, state, currency, settle_currency, settled_at is not null;

-- Amounts that must stay above zero are one unit at least.
update refunds set
  amount = greatest(pg_temp.rescaled(amount, currency), 1),
  refund_fee = pg_temp.rescaled(refund_fee, currency),
  paid_amount = pg_temp.rescaled(paid_amount, currency)
where currency in (select currency from rescaled_currencies);

update chargebacks set
  amount = greatest(pg_temp.rescaled(amount, currency), 1), fee = pg_temp.rescaled(fee, currency)
where currency in (select currency from rescaled_currencies);

update channel_disputes set amount = greatest(pg_temp.rescaled(amount, currency), 1)
where currency in (select currency from rescaled_currencies);

update deposits set amount = greatest(pg_temp.rescaled(amount, currency), 1)
where currency in (select currency from rescaled_currencies);

update suspense set amount = greatest(pg_temp.rescaled(amount, currency), 1)
where currency in (select currency from rescaled_currencies);

update payouts p set fee = pg_temp.rescaled(p.fee, o.currency)
from orders o
where o.mer_no = p.mer_no and o.trade_no = p.trade_no and o.currency in (select currency from rescaled_currencies);

update payouts set funding_amount = greatest(pg_temp.rescaled(funding_amount, funding_currency), 1)
where funding_currency in (select currency from rescaled_currencies);

drop view parts;
drop function pg_temp.rescaled(numeric, text);
