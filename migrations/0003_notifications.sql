-- Delivery of notifications: when each is due, who holds it, how it ended, and every attempt.
-- A notification is pending while due_at is set; else it was delivered or given up.

alter table notifications
  -- One clock for all gateways, and never equal for two events of one order: first attempts go out in this order.
  add column queued_at    timestamptz not null default clock_timestamp(),
  -- Made and stored before the first attempt leaves; the same bytes for every attempt.
  add column body         text,
  -- When the next attempt leaves. It stays while one is under way.
  add column due_at       timestamptz,
  -- Set while an attempt is under way: after that time its worker counts as dead.
  add column leased_until timestamptz,
  -- It waits for a place in its merchant's own lane, out of the way of all others.
  add column parked       boolean not null default false,
  -- Attempts made so far, and how many of them belong to earlier rounds: a resend begins a new round.
  add column attempts     integer not null default 0,
  add column round_start  integer not null default 0,
  add column delivered_at timestamptz,
  add column failed_at    timestamptz,
  -- Room on the page for the next version of a row, so that a claim touches no index.
  set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Those written before there was a delivery have all been waiting for it.
update notifications set due_at = made_at;

alter table notifications
  add constraint notifications_pending_or_ended check (
    due_at is not null or delivered_at is not null or failed_at is not null),
  add constraint notifications_held_is_pending check (due_at is not null or (leased_until is null and not parked)),
  add constraint notifications_attempts_counted check (attempts >= round_start and round_start >= 0);

create index notifications_due on notifications (due_at) where due_at is not null and not parked;
create index notifications_parked on notifications (mer_no, due_at) where parked;
create index notifications_failed on notifications (failed_at) where failed_at is not null;

-- Written when an attempt is claimed, completed when it ended.
create table notification_attempts (
  mer_no          bigint not null,
  notification_id text not null,
  attempt_no      integer not null,
  started_at      timestamptz not null,
  finished_at     timestamptz,
  -- Null when no answer came.
  status          integer,
  latency_ms      integer,
  -- The first kilobyte of the answer.
  answer          text,
  -- Why it does not count as delivered; null if it does.
  error           text,
  primary key (mer_no, notification_id, attempt_no)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- Merchants to whom nothing is sent for now.
create table notification_pauses (
  mer_no    bigint primary key,
  paused_at timestamptz not null
);
