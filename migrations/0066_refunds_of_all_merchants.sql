-- The list of the refunds of all merchants, newest first, in any state or in one. Payments never write this index.
create index refunds_by_state on refunds (state, refund_no);
