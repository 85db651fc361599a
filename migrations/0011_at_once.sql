-- The program made this text from a value and reads it back into one: the database need not parse it.
alter table order_details alter column details type text;

-- One index finds a merchant's open attempts and, skipping from merchant to merchant, what is to be asked about: two were
-- two entries a payment.
create index attempts_open_by_time on attempts (mer_no, ask_at, trade_no) where ask_at is not null;
drop index attempts_open;
drop index attempts_to_ask;

-- The number leads, so that a plan for a merchant's order by its trade number can take the primary key only.
alter table orders
  drop constraint orders_number_unique, add constraint orders_number_unique unique (mer_order_no, mer_no);

-- Room on each page for the version that an outcome makes of every order: it then touches no index.
alter table orders set (fillfactor = 50);
