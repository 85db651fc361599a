-- How much of a refund or payout that came back was credited. A bank on the way may keep a part, which is a cost of the return.
-- Null: it did not come back, its counterparty did not say how much did, or it came back before this column: then all of it
-- was credited.
alter table payouts add column returned_amount bigint constraint payouts_returned_amount check (returned_amount >= 0);
alter table refunds add column returned_amount bigint
  constraint refunds_returned_amount check (returned_amount between 0 and amount);
