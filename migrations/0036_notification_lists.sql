-- Lists of one merchant's notifications. Neither index contains a payment's notification that was delivered.
create index notifications_failed_by_merchant on notifications (mer_no, notification_id) where failed_at is not null;
create index notifications_by_event on notifications (mer_no, event, notification_id) where event <> 'payment';
