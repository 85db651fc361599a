-- How far the sweep of each table is: every row that still waits for its due time was stored by this transaction or later.
create table sweeps (
  name text not null,
  -- The server whose transactions are meant: a database that was restored on another one has its transactions numbered anew.
  cluster bigint not null,
  swept_until bigint not null,
  constraint sweeps_pkey primary key (name)
);
