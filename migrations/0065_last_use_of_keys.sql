-- The time of a key's last use, at most an hour old, instead of its first use. The last known use of a key that was used
-- before is its first.
alter table merchant_keys rename column first_used_at to last_used_at;
