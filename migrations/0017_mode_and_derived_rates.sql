-- The mode this database belongs to: one row, written by the first gateway that starts on it and never changed.
create table database_mode (
  singleton boolean primary key default true,
  mode      text not null,
  marked_at timestamptz not null,
  constraint database_mode_single_row check (singleton),
  constraint database_mode_known check (mode in ('sandbox', 'live'))
);

-- Only a sandbox ever made a demo merchant. Without one, the next gateway decides.
insert into database_mode (mode, marked_at)
select 'sandbox', now() where exists (select from demo_merchants);

-- A derived rate was not set by an operator: it is the inverse of the opposite direction, or one of the sandbox's
-- starting rates. It gives way to a rate that was set.
alter table rates add column derived boolean not null default false;

-- The sandbox's starting rates, which were stored at the same instant as its demo merchant.
update rates set derived = true where valid_from in (select made_at from demo_merchants);
