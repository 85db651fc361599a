-- Bookings only add deltas to balances, each its own row, so that no payment waits for another or leaves an old version of a
-- row behind; folding them into the sums is done later, in one statement. Decisions about a merchant's money lock its sums.
alter table balances rename to balance_sums;
alter table balance_sums rename constraint balances_pkey to balance_sums_pkey;

-- What one batch adds to a merchant's accounts in one currency: the three lists go together.
create table balance_deltas (
  mer_no   bigint not null,
  delta_id text not null,
  currency text not null,
  accounts text[] not null,
  debits   bigint[] not null,
  credits  bigint[] not null,
  constraint balance_deltas_pkey primary key (mer_no, delta_id)
);

-- The balances, folded or not: a statement that reads them sees one moment. Deltas are taken apart one level down, so that
-- a condition on the account still finds sums by their key.
create view balances as
select mer_no, account, currency, sum(debits)::bigint as debits, sum(credits)::bigint as credits
from (
  select mer_no, account, currency, debits, credits from balance_sums
  union all
  select mer_no, account, currency, debits, credits
  from (
    select mer_no, unnest(accounts) as account, currency, unnest(debits) as debits, unnest(credits) as credits
    from balance_deltas
  ) as sides
) as parts
group by mer_no, account, currency;
