-- The time of a key's last use, recorded at most once an hour, instead of the time of its first use. A key that was
-- used before this migration keeps the time of its first use.
alter table merchant_keys rename column first_used_at to last_used_at;
