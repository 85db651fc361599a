-- Finds the payouts that a merchant has made to an account. People who approve a payout see whether its account is new.
create index payouts_paid_accounts on payouts (mer_no, account_masked, trade_no) where state = 'succeeded';
