-- Nearly all of the request log are payments that succeeded. One row holds those of a merchant from one write and the same four
-- seconds: a row and its index entries for each of them would cost more than all the rest of the log.
create table request_log_payments (
  mer_no bigint not null,
  -- The newest of request_ids. All of them have its first 36 bits, which are their time.
  last_id uuid not null,
  block_id uuid not null,
  request_ids uuid[] not null,
  mer_order_nos text[] not null,
  trade_nos text[] not null,
  durations_ms integer[] not null,
  places integer[] not null,
  constraint request_log_payments_pkey primary key (mer_no, last_id)
);
