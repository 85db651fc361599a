-- Nearly every payment is decided by the first answer of its channel. Such an order is compact: its only attempt and its first
-- change of state are columns of its own row, and no rows of their own (decision 0352). The views `attempts` and `order_events`
-- show them like all others.
drop view current_attempts;
alter table attempts rename to attempt_rows;
alter table attempt_rows rename constraint attempts_pkey to attempt_rows_pkey;
alter table attempt_rows rename constraint attempts_open_is_asked to attempt_rows_open_is_asked;
alter table attempt_rows rename constraint attempts_state_known to attempt_rows_state_known;
alter index attempts_by_decision rename to attempt_rows_by_decision;
alter index attempts_open_by_time rename to attempt_rows_open_by_time;
alter table order_events rename to order_event_rows;
alter table order_event_rows rename constraint order_events_pkey to order_event_rows_pkey;
alter index order_events_by_time rename to order_event_rows_by_time;

alter table orders
  -- Set while the order is compact.
  add column attempt_state text,
  add column attempt_channel text,
  add column attempt_ref text,
  add column attempt_ask_at timestamptz,
  add column card_first6 text,
  add column card_last4 text,
  add column card_brand text,
  add column card_fingerprint text,
  add constraint orders_attempt_whole check (
    (attempt_state is null) = (attempt_channel is null) and (attempt_state is null) = (attempt_ask_at is null)
    and attempt_state in ('calling', 'succeeded', 'failed'));

create index orders_by_decision on orders using brin (decided_at) with (pages_per_range = 32, autosummarize = on);
-- The sweep finds by it the calls that were lost, and totals those under way.
create index orders_by_transaction on orders ((made_in::text::bigint)) where kind = 'payment';

-- With the condition around both parts, and not in the second, a join finds either by its key.
create view attempts as
select * from (
  select mer_no, trade_no, attempt_no, channel, state, channel_ref, action, message, card_first6, card_last4, card_brand,
    card_fingerprint, created_at, decided_at, ask_at, asks, details, sealed, chosen
  from attempt_rows
  union all
  select mer_no, trade_no, 1::smallint, attempt_channel, attempt_state, attempt_ref, null::json, message, card_first6,
    card_last4, card_brand, card_fingerprint, created_at, decided_at,
    case when attempt_state = 'calling' then attempt_ask_at end, 0, null::json, null::bytea, null::json
  from orders
) as either where state is not null;

create view current_attempts as
select mer_no, trade_no, attempt_no, channel, state, decided_at from attempts;

-- Later changes of a compact order move its money only, and leave its message and the time of its decision.
create view order_events as
select * from (
  select mer_no, trade_no, version, from_state, to_state, why, at from order_event_rows
  union all
  select mer_no, trade_no, 2, 1::smallint,
    case attempt_state when 'succeeded' then 5::smallint when 'failed' then 6::smallint end, message, decided_at
  from orders
) as either where to_state is not null;

insert into sweeps (name, cluster, swept_until)
select 'orders', system_identifier, pg_current_xact_id()::text::bigint from pg_control_system();

-- The merchant's compact orders whose call has not returned. The others have rows of their own since the last sweep. As a
-- function for the same reason as `notifications_not_swept`.
create function calls_under_way(bigint) returns setof text language sql stable rows 10
  set enable_seqscan = off as $$
  with calls as materialized (
    select mer_no, trade_no from orders
    where kind = 'payment' and attempt_state = 'calling' and made_in::text::bigint between (
      select case when cluster = (select system_identifier from pg_control_system()) then swept_until else 0 end
      from sweeps where name = 'orders'
    ) and (
      select case when cluster = (select system_identifier from pg_control_system())
        then greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())::text::bigint
        else 9223372036854775807 end
      from sweeps where name = 'orders'))
  select trade_no from calls where mer_no = $1
$$;

-- A restored row may have a number that is far ahead of this server's. Its sweep has seen all of those. Rows of the transaction
-- that asks may be the latest.
create or replace function notifications_not_swept() returns setof notifications language sql stable rows 10
  set enable_seqscan = off set enable_bitmapscan = on as $$
  select * from notifications
  where due_at is null and leased_until is not null and stored_in between (
    select case when cluster = (select system_identifier from pg_control_system()) then swept_until else 0 end
    from sweeps where name = 'notifications'
  ) and (
    select case when cluster = (select system_identifier from pg_control_system())
      then greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())::text::bigint
        else 9223372036854775807 end
    from sweeps where name = 'notifications')
$$;
