-- Since when a channel's background work fails: its files, reports or blocks are not read, although it takes payments and payouts.
-- Null while it works.
alter table channel_watchers add column failing_since timestamptz;
