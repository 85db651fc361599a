-- Lists and totals for merchants, statements, suspense, reconciliation.

alter table orders
  -- The transaction that made it: tells the orders that a first page saw from those that were being accepted meanwhile.
  add column made_in xid8 not null default pg_current_xact_id();

-- Pay-ins only, and with all that finding a page and counting need, so that both read the index alone. None of these
-- columns ever changes: a success still writes no index.
drop index orders_by_time;
create index orders_by_time on orders (mer_no, created_at, trade_no) include (local_day, made_in)
  where kind = 'payment';

-- A merchant's open orders, for totals: few rows at any time, left when an attempt is decided.
create index attempts_open on attempts (mer_no, trade_no) where ask_at is not null;

-- Both tables grow in order of time, so a summary a few pages is enough to find a range of days, and costs the writer
-- next to nothing: a sorted index would cost every payment four more insertions.
create index ledger_entries_by_time on ledger_entries using brin (at) with (pages_per_range = 32, autosummarize = on);
create index attempts_by_decision on attempts using brin (decided_at)
  with (pages_per_range = 32, autosummarize = on);

-- Money that came late, short or in surplus for an order, or for nobody that we know (merchant 0). What is held here adds
-- up to the suspense account.
create table suspense (
  mer_no      bigint not null,
  suspense_id text not null,
  channel     text not null,
  -- How the channel calls this money: it is booked once.
  reference   text not null,
  trade_no    text,
  currency    text not null,
  amount      bigint not null,
  why         text not null,
  state       text not null,
  booked_at   timestamptz not null,
  decided_at  timestamptz,
  primary key (mer_no, suspense_id),
  constraint suspense_once unique (mer_no, channel, reference),
  constraint suspense_above_zero check (amount > 0),
  constraint suspense_why_known check (why in ('late', 'short', 'surplus', 'unmatched')),
  constraint suspense_state_known check (state in ('held', 'accepted', 'returned')),
  constraint suspense_decided_is_dated check ((state = 'held') = (decided_at is null))
);
create index suspense_held on suspense (booked_at, suspense_id) where state = 'held';
create index suspense_by_order on suspense (mer_no, trade_no) where trade_no is not null;
