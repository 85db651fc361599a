-- Operators list the payouts of all merchants, newest first, of one state or of each.
create index payouts_by_state on payouts (state, trade_no);
