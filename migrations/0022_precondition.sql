-- Fails with a code of its own when something is not as a statement took it to be. Volatile, so that the planner never calls
-- it beforehand: `case when … else precondition_failed() end` calls it in the failing case only.
create function precondition_failed() returns integer language plpgsql volatile as $$
begin
  raise exception 'something is not as it was taken to be' using errcode = 'TG001';
end $$;
