-- How orders and their attempts stand now, for readers outside of the domains that own them. Plain columns of one table
-- each: the planner sees through them. They stay when orders are stored in another way.

create view current_orders as
select mer_no, trade_no, mer_order_no, kind, method, currency, amount, state, message, return_url, received, created_at,
  decided_at
from orders;

create view current_attempts as
select mer_no, trade_no, attempt_no, channel, state, decided_at
from attempts;
