-- What channels remember: numbers of their references, and records such as files that were read or transfers that came in.

-- Addresses and accounts are derived from a number that each reference of a channel gets once.
create table channel_numbers (
  channel text not null,
  number bigint not null,
  reference text not null,
  constraint channel_numbers_pkey primary key (channel, number),
  constraint channel_numbers_one_per_reference unique (channel, reference),
  constraint channel_numbers_number_positive check (number >= 0)
);

create table channel_records (
  channel text not null,
  -- The channel's own word, such as deposit or file.
  kind text not null,
  key text not null,
  reference text,
  body jsonb not null,
  changed_at timestamptz not null,
  constraint channel_records_pkey primary key (channel, kind, key)
);

create index channel_records_reference on channel_records (channel, kind, reference) where reference is not null;

-- Payments that a channel has learned something about. A worker asks the channel and records the outcome.
create table channel_asks (
  channel text not null,
  reference text not null,
  ask_at timestamptz not null,
  asks int not null default 0,
  constraint channel_asks_pkey primary key (channel, reference)
);

create index channel_asks_due on channel_asks (ask_at);

-- The node that does a channel's background work.
create table channel_watchers (
  channel text not null,
  node uuid not null,
  leased_until timestamptz not null,
  constraint channel_watchers_pkey primary key (channel)
);
