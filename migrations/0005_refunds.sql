-- Refunds of paid orders, and the operator's say in them.

alter table merchants
  -- Its refunds wait for an operator's word before the channel hears of them.
  add column approve_refunds boolean not null default false;

create table refunds (
  mer_no        bigint not null,
  refund_no     text not null,
  trade_no      text not null,
  mer_order_no  text not null,
  -- The merchant's own number; null when it sent none.
  mer_refund_no text,
  currency      text not null,
  amount        bigint not null,
  -- Taken with the amount, given back with it.
  refund_fee    bigint not null,
  remark        text not null,
  notify_url    text not null,
  -- The payment as the channel knows it, which changes no more: the call needs no other row.
  channel       text not null,
  attempt_no    smallint not null,
  attempt_ref   text,
  paid_amount   bigint not null,
  state         text not null,
  -- Counts the state changes; a change names the version that it saw.
  version       integer not null default 1,
  message       text not null,
  channel_ref   text,
  created_at    timestamptz not null,
  decided_at    timestamptz,
  -- When the channel is called next; null while an operator has the word, and once it is decided.
  ask_at        timestamptz,
  asks          integer not null default 0,
  primary key (mer_no, refund_no),
  constraint refunds_amount_in_bounds check (amount > 0 and amount <= paid_amount and refund_fee >= 0),
  constraint refunds_state_known check (
    state in ('waiting', 'calling', 'pending', 'unknown', 'succeeded', 'failed')),
  constraint refunds_open_is_asked check ((state in ('calling', 'pending', 'unknown')) = (ask_at is not null))
);
create unique index refunds_number_unique on refunds (mer_no, mer_refund_no) where mer_refund_no is not null;
create index refunds_by_order on refunds (mer_no, trade_no);
create index refunds_to_ask on refunds (ask_at) where ask_at is not null;
create index refunds_to_approve on refunds (created_at) where state = 'waiting';

-- The history: one row a state change.
create table refund_events (
  mer_no     bigint not null,
  refund_no  text not null,
  version    integer not null,
  from_state text not null,
  to_state   text not null,
  why        text not null,
  at         timestamptz not null,
  primary key (mer_no, refund_no, version)
);
