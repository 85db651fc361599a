-- What the back office searches and counts. A worker writes these tables from orders and their attempts; payments never do.

-- One row for each thing that an order can be found by: `email:…`, `card:4242`, `name:…`, `amount:…`, `state:5`. All
-- searches are short scans of this key, newest first.
create table order_keys (
  mer_no bigint not null,
  key text not null,
  created_at timestamptz not null,
  trade_no text not null,
  constraint order_keys_pkey primary key (mer_no, key, created_at, trade_no)
);

-- What of an order is in order_keys and order_counts now, so that the next change replaces exactly that.
create table indexed_orders (
  mer_no bigint not null,
  trade_no text not null,
  -- The order's version and number of decided attempts that were read.
  version int not null,
  attempts int not null,
  -- One key per line.
  keys text not null,
  local_day date not null,
  hour smallint not null,
  method text not null,
  state smallint not null,
  currency text not null,
  amount bigint not null,
  reason text not null,
  constraint indexed_orders_pkey primary key (mer_no, trade_no)
);

-- Orders and amounts by the local day and hour of their creation. `reason` is the message of orders that ended unpaid.
create table order_counts (
  mer_no bigint not null,
  local_day date not null,
  hour smallint not null,
  method text not null,
  state smallint not null,
  currency text not null,
  reason text not null,
  orders bigint not null,
  amount bigint not null,
  constraint order_counts_pkey primary key (mer_no, local_day, hour, method, state, currency, reason),
  constraint order_counts_hour_of_day check (hour between 0 and 23)
);

-- How far the worker is. Its one row is also the lock that lets one node at a time write.
create table order_index_progress (
  singleton boolean not null default true,
  -- Changes before this time are indexed.
  read_until timestamptz not null,
  -- Changes before this time were read once more, after all of them were committed.
  checked_until timestamptz not null,
  -- Where building the index anew goes on; null when it is complete.
  rebuild_mer_no bigint,
  rebuild_trade_no text,
  constraint order_index_progress_pkey primary key (singleton),
  constraint order_index_progress_single_row check (singleton),
  constraint order_index_progress_rebuild_whole check ((rebuild_mer_no is null) = (rebuild_trade_no is null))
);

-- The worker finds what changed since its last round by these. A BRIN index costs an insert next to nothing.
create index orders_by_creation on orders using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index order_events_by_time on order_events using brin (at) with (pages_per_range = 32, autosummarize = on);
