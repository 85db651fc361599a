-- What waits for a second person. The action is data; the transaction that approves it carries it out.
create table approvals (
  mer_no bigint not null,
  approval_id text not null,
  -- Who decides: an operator, or the merchant's own staff.
  decider text not null,
  kind text not null,
  subject text not null,
  action jsonb not null,
  currency text,
  amount bigint,
  asked_kind text not null,
  asked_by text not null,
  asked_at timestamptz not null,
  reason text not null,
  expires_at timestamptz not null,
  state text not null,
  decided_kind text,
  decided_by text,
  decided_at timestamptz,
  decision text,
  constraint approvals_pkey primary key (mer_no, approval_id),
  constraint approvals_decider_known check (decider in ('platform', 'merchant')),
  constraint approvals_kind_known check (kind in ('outcome', 'correction', 'payouts', 'beneficiary')),
  constraint approvals_state_known check (state in ('waiting', 'approved', 'rejected', 'expired')),
  constraint approvals_decided_by_somebody check ((state in ('approved', 'rejected')) = (decided_by is not null)),
  constraint approvals_two_people check (
    state <> 'approved' or (asked_kind, asked_by) is distinct from (decided_kind, decided_by))
);

-- One thing waits once.
create unique index approvals_waiting_once on approvals (mer_no, kind, subject) where state = 'waiting';
create index approvals_by_decider on approvals (decider, approval_id);
