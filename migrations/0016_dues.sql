-- The day the margin comes due stands in the row of the settlement that comes before it, and becomes a row of its own then:
-- one row a payment is written on the busy path instead of two.
alter table order_dues add column margin_at timestamptz;
alter table order_dues drop constraint order_dues_kind_known;
alter table order_dues add constraint order_dues_kind_known check (kind = 'settle' or kind = 'margin' and margin_at is null);
