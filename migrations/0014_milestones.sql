-- Every hundredth of a merchant's payments in order of time, and how many there are up to it.
create table order_milestones (
  mer_no bigint not null,
  place bigint not null,
  created_at timestamptz not null,
  trade_no text not null,
  constraint order_milestones_pkey primary key (mer_no, place),
  constraint order_milestones_order_unique unique (mer_no, created_at, trade_no)
);
