-- A call to a channel mostly ends within seconds. Until the next sweep it has no `ask_at`, only the time from which it counts
-- as lost, which is in no index: the update with its outcome then touches no index either.
alter table attempts
  add column lost_at timestamptz,
  -- What was stored before has its `ask_at`, and needs no sweep.
  add column stored_in bigint not null default 0;
alter table attempts alter column stored_in set default pg_current_xact_id()::text::bigint;
-- Coarser than others: seconds of payments are always read, and PostgreSQL keeps no more than 256 requests to summarise.
create index attempts_by_transaction on attempts using brin (stored_in) with (pages_per_range = 128, autosummarize = on);

alter table attempts drop constraint attempts_open_is_asked;
alter table attempts add constraint attempts_open_is_asked check (
  (state in ('succeeded', 'failed')) = (ask_at is null) or (state = 'calling' and lost_at is not null));

-- Room on each page for the version that an outcome makes of every attempt.
alter table attempts set (fillfactor = 50);

insert into sweeps (name, cluster, swept_until)
select 'attempts', system_identifier, pg_current_xact_id()::text::bigint from pg_control_system();

-- The open attempts that have no `ask_at` yet. As a function because the planner takes "since the last sweep" for a third of
-- the table, and would read all of it.
create function calls_not_swept() returns setof attempts language sql stable rows 10
  set enable_seqscan = off set enable_bitmapscan = on as $$
  select * from attempts
  where state = 'calling' and ask_at is null and stored_in >= (
    select case when cluster = (select system_identifier from pg_control_system()) then swept_until else 0 end
    from sweeps where name = 'attempts')
$$;
