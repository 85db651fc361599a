-- A statement replaces an earlier one only if that is known. A line that a later statement of the same days lacks is a
-- difference of that statement, and this is the earlier statement that lists the line. Null in all other differences.
alter table statement_differences add column listed_by text;

-- True if the channel sent the statement for a day. The next fetch of that day replaces the statement. Earlier versions
-- named such a statement after the channel and the day.
alter table channel_statements add column is_fetched boolean not null default false;
update channel_statements set is_fetched = true
where first_day = last_day and file_name = channel || ' ' || first_day;

-- The part of a deposit that a reversal on a statement took back out of suspense. That part no longer counts as money
-- that the channel reported, so the same amount is booked when it comes again.
alter table deposits
  add column withdrawn bigint not null default 0,
  add constraint deposits_withdrawn_in_range check (withdrawn between 0 and amount);
