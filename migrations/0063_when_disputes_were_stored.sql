-- The time at which a channel's report of a dispute was stored. The time of the report itself is by the channel's clock.
-- Earlier reports get the time at which they were applied.
alter table channel_disputes add column stored_at timestamptz;
update channel_disputes set stored_at = coalesce(taken_at, now());
alter table channel_disputes alter column stored_at set not null;
