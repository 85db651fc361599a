-- Why a channel's background work fails, in the words of its last failure. Operators read it without the log.
alter table channel_watchers add column failing_why text;
