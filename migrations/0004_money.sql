-- What happens to an order's money after it succeeded: settlement, refunds, chargebacks, margin.

alter table orders
  -- The merchant's zone when the order was accepted: due days are counted in it.
  add column timezone           text not null default 'UTC',
  -- Source to settlement currency: as accepted, then as it was at success. Null where both are the same.
  add column settle_rate        numeric,
  -- The net at success in the settlement currency; later events do not change it.
  add column settle_amount      bigint,
  -- Its own part of the available balance, in the source currency.
  add column settled_source     bigint not null default 0,
  add column settled_at         timestamptz,
  add column margin_held        bigint not null default 0,
  -- What chargebacks used up of it: not held again for a refund that fails.
  add column margin_disputed    bigint not null default 0,
  add column margin_released_at timestamptz,
  -- Accepted refunds that did not fail, and how many of them are under way.
  add column refunded           bigint not null default 0,
  add column refunds_open       integer not null default 0,
  add column charged_back       bigint not null default 0,
  add column chargeback_state   text,
  -- Refund and chargeback fees.
  add column exception_fees     bigint not null default 0,
  add constraint orders_refunded_in_bounds check (refunded between 0 and amount and refunds_open >= 0),
  add constraint orders_charged_back_in_bounds check (charged_back between 0 and amount),
  add constraint orders_chargeback_state_known check (chargeback_state in ('open', 'won', 'lost'));

-- Lists are read by merchant and time, newest first.
create index orders_by_time on orders (mer_no, created_at, trade_no);

-- What settlement has to come back to. A row goes when its work is done. A table of its own, because an index on orders
-- that changes at success would make every success write every index.
create table order_dues (
  mer_no   bigint not null,
  kind     text not null,
  due_at   timestamptz not null,
  trade_no text not null,
  primary key (mer_no, kind, due_at, trade_no),
  constraint order_dues_kind_known check (kind in ('settle', 'margin'))
);

-- Daily totals of decided pay-ins. Writers only add deltas, each its own row, so that nobody waits for anybody; folding
-- them into the totals is done later, in one statement. What is processing is counted from the open orders.
create table order_totals (
  mer_no          bigint not null,
  local_day       date not null,
  state           smallint not null,
  currency        text not null,
  settle_currency text not null,
  settled         boolean not null,
  orders          bigint not null,
  source_amount   bigint not null,
  settle_amount   bigint not null,
  primary key (mer_no, local_day, state, currency, settle_currency, settled)
);

create table order_total_deltas (
  mer_no          bigint not null,
  delta_id        text not null,
  local_day       date not null,
  state           smallint not null,
  currency        text not null,
  settle_currency text not null,
  settled         boolean not null,
  orders          bigint not null,
  source_amount   bigint not null,
  settle_amount   bigint not null,
  primary key (mer_no, delta_id)
);
