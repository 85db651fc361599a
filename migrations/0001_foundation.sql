-- Merchants, orders, attempts, the ledger and the outbox.
-- Every merchant's row leads its primary key with mer_no, and ids are made by the program: tables can be spread by merchant.
-- Amounts are bigint in the currency's minor unit. Limits and usage are in US cents.

create table merchants (
  mer_no          bigint primary key,
  name            text not null,
  state           text not null,
  timezone        text not null default 'UTC',
  -- Null: every method, every card brand.
  methods         text[],
  card_brands     text[],
  require_rsa     boolean not null default false,
  require_ip      boolean not null default false,
  sign_answers    boolean not null default false,
  notify_review   boolean not null default false,
  ips             text[] not null default '{}',
  limit_single    bigint,
  limit_daily     bigint,
  limit_monthly   bigint,
  refund_credit   bigint not null default 50000,
  created_at      timestamptz not null,
  constraint merchants_mer_no_fits check (mer_no between 0 and 9999999999),
  constraint merchants_state_known check (state in ('pending', 'active', 'suspended', 'closed'))
);

create table merchant_websites (
  mer_no      bigint not null references merchants,
  -- host, host:port, or *.host
  site        text not null,
  approved_at timestamptz,
  primary key (mer_no, site)
);

create table merchant_keys (
  mer_no        bigint not null references merchants,
  key_id        text not null,
  kind          text not null,
  -- Encrypted under the master key, bound to merchant, kind and key_id.
  sealed        bytea not null,
  made_at       timestamptz not null,
  -- Null until the merchant has signed with it once.
  first_used_at timestamptz,
  -- Null while it is the current one; while rotating, until when it still counts.
  retires_at    timestamptz,
  primary key (mer_no, key_id),
  constraint merchant_keys_kind_known check (kind in ('md5', 'rsa', 'webhook'))
);

create table merchant_currencies (
  mer_no          bigint not null references merchants,
  currency        text not null,
  settle_currency text not null,
  primary key (mer_no, currency)
);

create table fee_plans (
  mer_no         bigint not null references merchants,
  -- '' is the plan of every method without one of its own.
  method         text not null,
  fee_bps        integer not null,
  -- Fixed fees are decimals of whichever currency the order has.
  fee_fixed      numeric(14, 2) not null,
  refund_fee     numeric(14, 2) not null default 0,
  chargeback_fee numeric(14, 2) not null default 0,
  margin_bps     integer not null,
  margin_days    integer not null,
  settle_days    integer not null,
  primary key (mer_no, method),
  constraint fee_plans_in_bounds check (
    fee_bps between 0 and 10000 and margin_bps between 0 and 10000 and fee_fixed >= 0
    and margin_days between 0 and 3650 and settle_days between 0 and 365
  )
);

-- What limits have been taken. Merchant 0 counts for the platform, by method; a merchant counts over all methods ('').
create table limit_usage (
  mer_no bigint not null,
  method text not null,
  -- 2026-11-15 for a day, 2026-11 for a month: the order's local day
  period text not null,
  used   bigint not null,
  primary key (mer_no, method, period)
);

create table platform_limits (
  method  text primary key,
  daily   bigint,
  monthly bigint
);

create table platform_keys (
  name       text primary key,
  public_pem text not null,
  sealed     bytea not null,
  made_at    timestamptz not null
);

create table rates (
  from_currency text not null,
  to_currency   text not null,
  valid_from    timestamptz not null,
  rate          numeric(24, 12) not null,
  primary key (from_currency, to_currency, valid_from),
  constraint rates_above_zero check (rate > 0)
);

-- Payments and payouts: one space of order numbers.
create table orders (
  mer_no             bigint not null,
  trade_no           text not null,
  mer_order_no       text not null,
  kind               text not null,
  method             text not null,
  currency           text not null,
  amount             bigint not null,
  state              smallint not null,
  -- Counts the state changes; a change names the version that it saw.
  version            integer not null default 1,
  message            text not null default '',
  return_url         text not null default '',
  notify_url         text not null default '',
  protest_notify_url text not null default '',
  created_at         timestamptz not null,
  -- The merchant's own day, kept as it was when the order was made.
  local_day          date not null,
  decided_at         timestamptz,
  -- What it took of the limits, given back if it fails.
  usd_value          bigint not null,
  -- It counted against the platform's limit for its method too.
  platform_limited   boolean not null,
  -- The terms as they were when it was accepted.
  fee_bps            integer not null,
  fee_fixed          bigint not null,
  margin_bps         integer not null,
  margin_days        integer not null,
  settle_days        integer not null,
  settle_currency    text not null,
  -- Known once it succeeded.
  received           bigint,
  handling_fee       bigint,
  processing_fee     bigint,
  margin             bigint,
  -- Its own part of the merchant's unsettled balance.
  remainder          bigint,
  primary key (mer_no, trade_no),
  constraint orders_number_unique unique (mer_no, mer_order_no),
  constraint orders_amount_above_zero check (amount > 0),
  constraint orders_kind_known check (kind in ('payment', 'payout'))
);

-- Written once and rarely read, so that a state change does not copy it.
create table order_details (
  mer_no   bigint not null,
  trade_no text not null,
  details  json not null,
  -- Personal numbers (identity, tax, account), encrypted.
  sealed   bytea,
  primary key (mer_no, trade_no)
);

create table attempts (
  mer_no           bigint not null,
  trade_no         text not null,
  attempt_no       smallint not null,
  channel          text not null,
  state            text not null,
  channel_ref      text,
  -- What the payer must do, while pending.
  action           json,
  message          text not null default '',
  -- A card is kept as this and nothing more.
  card_first6      text,
  card_last4       text,
  card_brand       text,
  card_fingerprint text,
  created_at       timestamptz not null,
  decided_at       timestamptz,
  -- When the resolver looks at it next; null once it is decided.
  ask_at           timestamptz,
  asks             integer not null default 0,
  primary key (mer_no, trade_no, attempt_no),
  constraint attempts_state_known check (state in ('calling', 'pending', 'unknown', 'succeeded', 'failed')),
  constraint attempts_open_is_asked check ((state in ('succeeded', 'failed')) = (ask_at is null))
);
create index attempts_to_ask on attempts (ask_at) where ask_at is not null;

-- The history: one row a state change.
create table order_events (
  mer_no     bigint not null,
  trade_no   text not null,
  version    integer not null,
  from_state smallint not null,
  to_state   smallint not null,
  why        text not null,
  at         timestamptz not null,
  primary key (mer_no, trade_no, version)
);

-- One row is one transfer, so the ledger balances by its shape. The key makes booking a step twice impossible.
create table ledger_entries (
  mer_no   bigint not null,
  -- What it is for: a trade or refund number, or a name.
  subject  text not null,
  step     text not null,
  debit    text not null,
  credit   text not null,
  currency text not null,
  amount   bigint not null,
  at       timestamptz not null,
  primary key (mer_no, subject, step),
  constraint ledger_entries_above_zero check (amount > 0),
  constraint ledger_entries_between_two check (debit <> credit)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name;
end $$;
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

create table balances (
  mer_no   bigint not null,
  account  text not null,
  currency text not null,
  debits   bigint not null,
  credits  bigint not null,
  primary key (mer_no, account, currency)
);

-- The outbox: a row is written in the transaction that makes the result final.
create table notifications (
  mer_no          bigint not null,
  notification_id text not null,
  trade_no        text not null,
  event           text not null,
  url             text not null,
  fields          json not null,
  made_at         timestamptz not null,
  primary key (mer_no, notification_id)
);
create index notifications_by_order on notifications (mer_no, trade_no);
