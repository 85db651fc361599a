-- Statements of channels stay with their differences; money of no known order can be assigned to one; a second person
-- decides on large sums in suspense; and fee plans have names that merchants share.
create table channel_statements (
  mer_no bigint not null,
  statement_id text not null,
  channel text not null,
  file_name text not null,
  first_day date,
  last_day date,
  lines integer not null,
  matched integer not null,
  different integer not null,
  booked integer not null,
  fees jsonb not null,
  imported_by text not null,
  imported_at timestamptz not null,
  constraint channel_statements_pkey primary key (mer_no, statement_id)
);

create table statement_differences (
  mer_no bigint not null,
  statement_id text not null,
  difference_no integer not null,
  channel text not null,
  kind text not null,
  type text not null,
  reference text not null,
  line integer,
  trade_no text,
  suspense_id text,
  their_amount bigint,
  their_currency text,
  our_amount bigint,
  our_currency text,
  state text not null,
  closed_by text,
  closed_at timestamptz,
  note text,
  constraint statement_differences_pkey primary key (mer_no, statement_id, difference_no),
  constraint statement_differences_state_known check (state in ('open', 'explained', 'decided', 'listed')),
  constraint statement_differences_closed_is_dated check ((state = 'open') = (closed_at is null))
);
create index statement_differences_open on statement_differences (channel, reference) where state = 'open';
create index statement_differences_suspense on statement_differences (suspense_id) where state = 'open';

alter table suspense
  drop constraint suspense_state_known,
  add constraint suspense_state_known check (state in ('held', 'accepted', 'returned', 'assigned'));

alter table approvals
  drop constraint approvals_kind_known,
  add constraint approvals_kind_known
    check (kind in ('outcome', 'correction', 'suspense', 'payouts', 'beneficiary'));

create table named_plans (
  mer_no bigint not null,
  plan text not null,
  method text not null,
  fee_bps integer not null,
  fee_fixed numeric(14, 2) not null,
  refund_fee numeric(14, 2) not null,
  chargeback_fee numeric(14, 2) not null,
  margin_bps integer not null,
  margin_days integer not null,
  settle_days integer not null,
  constraint named_plans_pkey primary key (mer_no, plan, method),
  constraint named_plans_in_bounds check (fee_bps between 0 and 10000 and margin_bps between 0 and 10000
    and fee_fixed >= 0 and margin_days between 0 and 3650 and settle_days between 0 and 365)
);

create table merchant_plans (
  mer_no bigint not null,
  plan text not null,
  constraint merchant_plans_pkey primary key (mer_no),
  constraint merchant_plans_mer_no_fkey foreign key (mer_no) references merchants (mer_no)
);
create index merchant_plans_by_plan on merchant_plans (plan);
