-- A payment that is sent again with the same fields gets the number of its first order. The MAC covers the fields of the
-- request. Orders of earlier versions, payouts and orders of payment links have none.
alter table order_details add column request_mac text;
-- Results carry the order's currency and amount. Merchants that exist already do not expect these fields.
alter table merchants add column amounts_in_notifications boolean not null default false;
