-- Deltas of all merchants of a batch in one row for each account, or for each cell of the daily totals: a batch writes a handful
-- of rows instead of two for each of its merchants.

-- In the order in which payments write.
lock table order_total_deltas, balance_deltas in access exclusive mode;

drop view balances;
drop view exact_balances;

alter table balance_deltas rename to former_balance_deltas;
alter table former_balance_deltas rename constraint balance_deltas_pkey to former_balance_deltas_pkey;
alter table order_total_deltas rename to former_order_total_deltas;
alter table former_order_total_deltas rename constraint order_total_deltas_pkey to former_order_total_deltas_pkey;

-- The lists have one element for each merchant, and a merchant is in a row once. Rows of up to 8 kB are stored as they are:
-- every reader of a balance would have to decompress them.
create table balance_deltas (
  account  text not null,
  delta_id text not null,
  currency text not null,
  mer_nos  bigint[] not null,
  debits   bigint[] not null,
  credits  bigint[] not null,
  primary key (account, delta_id),
  constraint balance_deltas_of_merchants check (
    cardinality(mer_nos) > 0 and cardinality(debits) = cardinality(mer_nos) and cardinality(credits) = cardinality(mer_nos))
) with (toast_tuple_target = 8160);

create table order_total_deltas (
  local_day       date not null,
  delta_id        text not null,
  state           smallint not null,
  currency        text not null,
  settle_currency text not null,
  settled         boolean not null,
  mer_nos         bigint[] not null,
  orders          bigint[] not null,
  source_amounts  bigint[] not null,
  settle_amounts  bigint[] not null,
  primary key (local_day, delta_id),
  constraint order_total_deltas_of_merchants check (
    cardinality(mer_nos) > 0 and cardinality(orders) = cardinality(mer_nos)
    and cardinality(source_amounts) = cardinality(mer_nos) and cardinality(settle_amounts) = cardinality(mer_nos))
) with (toast_tuple_target = 8160);

-- What waits is kept as rows of one merchant, not folded: a sum that no longer fits must not stop the migration.
insert into balance_deltas (account, delta_id, currency, mer_nos, debits, credits)
select s.account, delta_id || '.' || mer_no, currency, array[mer_no], array[s.debits], array[s.credits]
from former_balance_deltas d, unnest(d.accounts, d.debits, d.credits) as s (account, debits, credits);

insert into order_total_deltas (
  local_day, delta_id, state, currency, settle_currency, settled, mer_nos, orders, source_amounts, settle_amounts)
select
  local_day, delta_id || '.' || mer_no, state, currency, settle_currency, settled,
  array[mer_no], array[orders], array[source_amount], array[settle_amount]
from former_order_total_deltas;

drop table former_balance_deltas;
drop table former_order_total_deltas;

-- For all merchants, or a range of them. The balances of a single merchant are read without taking every row apart
-- (src/money/ledger/balance-sql.ts).
create view exact_balances as
select mer_no, account, currency, sum(debits) as debits, sum(credits) as credits
from (
  select mer_no, account, currency, debits, credits from balance_sums
  union all
  select s.mer_no, account, currency, s.debits, s.credits
  from balance_deltas d, unnest(d.mer_nos, d.debits, d.credits) as s (mer_no, debits, credits)
) parts
group by mer_no, account, currency;

create view balances as
select mer_no, account, currency, debits::bigint as debits, credits::bigint as credits from exact_balances;
