-- What people keep and start in the back office: views of lists, exports, and refunds of many orders.

-- A list with its filters and columns, under a name. `query` is that of the list's address.
create table saved_views (
  mer_no bigint not null,
  view_id text not null,
  user_id text not null,
  list text not null,
  name text not null,
  query text not null,
  columns text not null,
  shared boolean not null,
  version int not null,
  created_at timestamptz not null,
  constraint saved_views_pkey primary key (mer_no, view_id),
  constraint saved_views_list_known check (list in ('orders'))
);

create table exports (
  mer_no bigint not null,
  export_id text not null,
  user_id text not null,
  -- The filters and columns, as they stood in the address.
  filter json not null,
  columns text not null,
  state text not null,
  rows_written bigint not null,
  bytes_written bigint not null,
  -- The last order that was written: a worker that takes over goes on after it.
  reached_at timestamptz,
  reached_trade_no text,
  problem text not null,
  schedule_id text,
  created_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz not null,
  leased_until timestamptz,
  constraint exports_pkey primary key (mer_no, export_id),
  constraint exports_state_known check (state in ('running', 'done', 'failed')),
  constraint exports_running_is_leased check ((state = 'running') = (leased_until is not null)),
  constraint exports_reached_whole check ((reached_at is null) = (reached_trade_no is null))
);

create index exports_to_write on exports (leased_until) where leased_until is not null;
create index exports_to_expire on exports (expires_at);

-- The file, in pieces that are compressed one by one.
create table export_chunks (
  mer_no bigint not null,
  export_id text not null,
  chunk_no int not null,
  content bytea not null,
  constraint export_chunks_pkey primary key (mer_no, export_id, chunk_no)
);

create table export_schedules (
  mer_no bigint not null,
  schedule_id text not null,
  user_id text not null,
  email text not null,
  name text not null,
  filter json not null,
  columns text not null,
  -- The days that an export covers: the last one, or the last seven.
  every text not null,
  next_at timestamptz not null,
  created_at timestamptz not null,
  constraint export_schedules_pkey primary key (mer_no, schedule_id),
  constraint export_schedules_every_known check (every in ('day', 'week'))
);

create index export_schedules_due on export_schedules (next_at);

-- Refunds of many orders. `checked`: the dry run; nothing is refunded until a person starts it.
create table bulk_refunds (
  mer_no bigint not null,
  bulk_id text not null,
  user_id text not null,
  email text not null,
  address text not null,
  reason text not null,
  state text not null,
  version int not null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  leased_until timestamptz,
  constraint bulk_refunds_pkey primary key (mer_no, bulk_id),
  constraint bulk_refunds_state_known check (state in ('checked', 'running', 'done', 'cancelled')),
  constraint bulk_refunds_running_is_leased check ((state = 'running') = (leased_until is not null))
);

create index bulk_refunds_to_run on bulk_refunds (leased_until) where leased_until is not null;

create table bulk_refund_rows (
  mer_no bigint not null,
  bulk_id text not null,
  row_no int not null,
  -- As the person gave it.
  number text not null,
  trade_no text,
  mer_order_no text not null,
  currency text not null,
  amount bigint not null,
  state text not null,
  message text not null,
  refund_no text,
  constraint bulk_refund_rows_pkey primary key (mer_no, bulk_id, row_no),
  constraint bulk_refund_rows_state_known check (state in ('ready', 'refused', 'accepted', 'failed')),
  constraint bulk_refund_rows_ready_is_known check (state <> 'ready' or trade_no is not null),
  constraint bulk_refund_rows_accepted_has_number check ((state = 'accepted') = (refund_no is not null))
);
