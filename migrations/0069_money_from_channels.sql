-- A channel's money becomes a merchant's available balance at once only if it came back, was won in a dispute, or was
-- booked by an operator. Any other booking that does so is forged: money of a payment is unsettled first.
-- Older rows are not read here, so a large table is not locked. `ledger verify` checks them.
alter table bookings add constraint bookings_available_was_settled check (
  'merchant:available' <> all (credited) or array_to_string(debited, ' ') not like '%rail:%'
  or step in ('correction', 'payout:came-back')
  or step like 'refund-returned:%' or step like 'chargeback-won:%' or step like 'opening-%') not valid;
