-- The program made this text from a value and reads it back into one: the database need not parse it.
alter table order_details alter column details type text;

-- One index finds a merchant's open attempts and, skipping from merchant to merchant, what is to be asked about: two were
-- two entries a payment.
create index attempts_open_by_time on attempts (mer_no, ask_at, trade_no) where ask_at is not null;
drop index attempts_open;
drop index attempts_to_ask;

-- Trade numbers grow with time and are a merchant's own: with them in front, new rows go to the right edge of an index, where
-- nothing is searched for and no other page is touched.
alter table orders drop constraint orders_pkey, add constraint orders_pkey primary key (trade_no, mer_no);
alter table order_details
  drop constraint order_details_pkey, add constraint order_details_pkey primary key (trade_no, mer_no);
alter table order_events
  drop constraint order_events_pkey, add constraint order_events_pkey primary key (trade_no, version, mer_no);
alter table attempts
  drop constraint attempts_pkey, add constraint attempts_pkey primary key (trade_no, attempt_no, mer_no);

-- Room on each page for the version that an outcome makes of every order: it then touches no index.
alter table orders set (fillfactor = 50);
