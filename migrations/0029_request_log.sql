-- The request log: every call to the merchant interface, kept for some weeks.

create table request_log (
  -- 0: the caller named no merchant that exists.
  mer_no bigint not null,
  -- The X-Request-Id of the response, a UUID of version 7: it begins with the time, so its order is the order of time.
  request_id uuid not null,
  endpoint text not null,
  code text not null,
  status integer not null,
  duration_ms integer not null,
  mer_order_no text,
  trade_no text,
  -- The message of a refusal; null for a success.
  reason text,
  -- The signature of a request that was refused for it, encrypted: the signature debugger tries it.
  sealed_sign bytea,
  block_id uuid not null,
  place integer not null,
  constraint request_log_pkey primary key (mer_no, request_id)
);

create index request_log_by_order on request_log (mer_no, mer_order_no, request_id) where mer_order_no is not null;
create index request_log_by_trade on request_log (mer_no, trade_no, request_id)
  where mer_order_no is null and trade_no is not null;
-- Most calls are payments that succeed. They are in neither of these.
create index request_log_refused on request_log (mer_no, request_id) where code <> '00000';
create index request_log_by_code on request_log (mer_no, code, request_id) where code <> '00000';
create index request_log_by_endpoint on request_log (mer_no, endpoint, request_id) where endpoint <> '/payment';

-- Bodies and responses of all requests that a process wrote together, masked, and compressed as one: alone each would take
-- ten times the space, and more time than the rest of the log. So a block belongs to no single merchant.
create table request_log_bodies (
  block_id uuid not null,
  packed bytea not null,
  constraint request_log_bodies_pkey primary key (block_id)
);

-- It is compressed already.
alter table request_log_bodies alter column packed set storage external;
