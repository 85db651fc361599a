-- Payouts: orders of kind 'payout', with what only a payout has beside them.

alter table merchants
  -- Above this, in US cents, a payout waits for an operator's word; null: none does.
  add column payout_approval bigint;

create table payouts (
  mer_no           bigint not null,
  trade_no         text not null,
  -- As the merchant asked for it.
  kind             text not null,
  -- How it is paid: the same, except for CheckOut, where the beneficiary chooses. Null until then.
  account_kind     text,
  state            text not null,
  rail             text not null,
  -- Ours, one for all retries.
  reference        text not null,
  -- Name, address, bank: what may be read.
  beneficiary      json not null,
  -- All that may be shown of the account.
  account_masked   text not null default '',
  -- The account, or the rail's token for a card, and identity numbers; encrypted. Never a card number.
  sealed           bytea,
  -- Taken with the amount, given back with it; in the order's currency.
  fee              bigint not null,
  -- What was taken of the available balance. Another currency than the order's has the rate that was used.
  funding_currency text not null,
  funding_amount   bigint not null,
  funding_rate     numeric,
  needs_approval   boolean not null,
  approved_at      timestamptz,
  -- Since when it is for the rail.
  sending_at       timestamptz,
  rail_ref         text,
  created_at       timestamptz not null,
  -- When the worker looks at it next; null while an operator has the word, and once it is decided.
  ask_at           timestamptz,
  asks             integer not null default 0,
  primary key (mer_no, trade_no),
  constraint payouts_kind_known check (
    kind in ('card', 'checkout', 'bank_account', 'pix', 'per_transfer', 'spei')
    and account_kind in ('card', 'bank_account', 'pix', 'per_transfer', 'spei')),
  constraint payouts_state_known check (
    state in ('tokenising', 'awaiting_account', 'awaiting_approval', 'sending', 'succeeded', 'failed')),
  constraint payouts_money_in_bounds check (fee >= 0 and funding_amount > 0),
  constraint payouts_sent_has_account check (state <> 'sending' or (sealed is not null and sending_at is not null)),
  constraint payouts_open_is_asked check (
    (state in ('tokenising', 'awaiting_account', 'sending')) = (ask_at is not null))
);
create index payouts_to_ask on payouts (ask_at) where ask_at is not null;
create index payouts_to_approve on payouts (created_at) where state = 'awaiting_approval';
