-- A channel's dispute names the chargeback it belongs to, so that one over another amount can be shown beside it.

alter table channel_disputes
  -- The chargeback that it opened, was found to be, or differs from; null while it waits, and when it was refused.
  add column chargeback_id text;

update channel_disputes d set chargeback_id = c.chargeback_id
from chargebacks c
where c.dispute_ref = d.dispute_ref and starts_with(d.reference, 'A' || substr(c.trade_no, 2));

create index channel_disputes_by_reference on channel_disputes (reference);
