-- Columns of one row that contradict each other are refused.
alter table orders
  -- A payout draws on the available balance, so its order has no money of its own.
  add constraint orders_payout_without_position check (
    kind = 'payment' or (num_nonnulls(margin, remainder, settle_amount, settled_at, margin_released_at, chargeback_state) = 0
      and margin_held = 0 and margin_disputed = 0 and settled_source = 0 and refunded = 0 and refunds_open = 0
      and charged_back = 0 and exception_fees = 0)),
  add constraint orders_margin_in_bounds check (
    margin_held between 0 and coalesce(margin, 0) and margin_disputed between 0 and coalesce(margin, 0));

alter table refunds
  add constraint refunds_only_returned_came_back check (returned_amount is null or state = 'returned');

alter table payouts
  add constraint payouts_only_returned_came_back check (returned_amount is null or state = 'returned'),
  add constraint payouts_approved_before_sent check (
    state not in ('sending', 'succeeded', 'returned')
    or ((not needs_approval or approved_at is not null)
      and (not needs_merchant_approval or merchant_approved_at is not null)));
