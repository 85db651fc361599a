-- A notification that is handed over to a worker has no due time at first. Nearly all are acknowledged within milliseconds, and
-- then the index of due ones has never contained them. The workers' sweep gives a due time to those that are still under way.
-- A notification is pending while it has a due time or a lease; else it was delivered or given up.
alter table notifications
  -- The transaction that stored it: the sweep finds by it what was stored since the last one. What was stored before this
  -- migration has its due time, and needs no sweep.
  add column stored_in bigint not null default 0,
  alter column stored_in set default pg_current_xact_id()::text::bigint,
  drop constraint notifications_pending_or_ended,
  drop constraint notifications_held_is_pending,
  add constraint notifications_pending_or_ended check (
    due_at is not null or leased_until is not null or delivered_at is not null or failed_at is not null),
  add constraint notifications_parked_is_due check (due_at is not null or not parked);

-- Coarser than others: seconds of payments are always read, and PostgreSQL keeps no more than 256 requests to summarise.
create index notifications_by_transaction on notifications using brin (stored_in)
  with (pages_per_range = 128, autosummarize = on);

insert into sweeps (name, cluster, swept_until)
select 'notifications', system_identifier, pg_current_xact_id()::text::bigint from pg_control_system();

-- Those under way that have no due time yet. As a function because the planner takes "since the last sweep" for a third of the
-- table, and would read all of it.
create function notifications_not_swept() returns setof notifications language sql stable rows 10
  set enable_seqscan = off set enable_bitmapscan = on as $$
  select * from notifications
  where due_at is null and leased_until is not null and stored_in >= (
    select case when cluster = (select system_identifier from pg_control_system()) then swept_until else 0 end
    from sweeps where name = 'notifications')
$$;
