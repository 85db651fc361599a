-- The attempt that was acknowledged first is part of the notification's row, and has none of its own: nearly every notification
-- is delivered by its first attempt. Null until then, and if an earlier version recorded it.
alter table notifications
  add column acked_attempt integer,
  add column acked_left_at timestamptz,
  add column acked_status integer,
  add column acked_latency_ms integer,
  add column acked_answer text;

-- A row of another attempt is written once, when the attempt has ended: its page needs no room for another version.
alter table notification_attempts reset (fillfactor);
