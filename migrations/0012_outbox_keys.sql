-- Trade numbers grow with time: with them in front, what is written at one moment goes to one place of the index.
create index notifications_of_order on notifications (trade_no, mer_no);
drop index notifications_by_order;
alter index notifications_of_order rename to notifications_by_order;

-- Room on each page for the version that its end makes of every attempt: only then does it touch no index.
alter table notification_attempts set (fillfactor = 45);
