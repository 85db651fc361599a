-- Balances without a bound: the sums of one merchant may one day not fit a bigint, and reading its own or anybody's
-- balances must not fail for that. `balances` shows the same to people, in the type of the tables.
drop view balances;

create view exact_balances as
select mer_no, account, currency, sum(debits) as debits, sum(credits) as credits
from (
  select mer_no, account, currency, debits, credits from balance_sums
  union all
  select mer_no, account, currency, debits, credits from (
    select mer_no, unnest(accounts) as account, currency, unnest(debits) as debits, unnest(credits) as credits
    from balance_deltas
  ) sides
) parts
group by mer_no, account, currency;

create view balances as
select mer_no, account, currency, debits::bigint as debits, credits::bigint as credits from exact_balances;
