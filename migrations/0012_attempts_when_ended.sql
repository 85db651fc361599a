-- An attempt's row is written once, when it has ended. While it is under way the notification itself says so: it counts
-- the attempt and knows when it was claimed.
alter table notifications add column claimed_at timestamptz;

update notifications n set claimed_at = a.started_at
from notification_attempts a
where a.mer_no = n.mer_no and a.notification_id = n.notification_id and a.attempt_no = n.attempts
  and a.finished_at is null;

delete from notification_attempts where finished_at is null;
alter table notification_attempts alter column finished_at set not null;

-- Trade numbers grow with time: with them in front, what is written at one moment goes to one place of the index.
create index notifications_of_order on notifications (trade_no, mer_no);
drop index notifications_by_order;
alter index notifications_of_order rename to notifications_by_order;
