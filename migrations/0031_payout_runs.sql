-- Payouts that people make in the back office: saved beneficiaries, and runs of payouts that were entered together.
create table beneficiaries (
  mer_no bigint not null,
  beneficiary_id text not null,
  label text not null,
  kind text not null,
  currency text not null,
  account_masked text not null,
  -- A keyed hash of the account: finds it without decrypting all of them.
  fingerprint text not null,
  -- Fields that may be read, and the account with identity numbers, encrypted.
  details json not null,
  sealed bytea not null,
  state text not null,
  -- Until then a payout to it needs a second person.
  usable_at timestamptz not null,
  confirmed_by text,
  created_by text not null,
  created_at timestamptz not null,
  version int not null,
  constraint beneficiaries_pkey primary key (mer_no, beneficiary_id),
  constraint beneficiaries_kind_known check (kind in ('bank_account', 'pix', 'per_transfer', 'spei')),
  constraint beneficiaries_state_known check (state in ('active', 'removed'))
);

create unique index beneficiaries_account_once on beneficiaries (mer_no, fingerprint) where state = 'active';

create table payout_settings (
  mer_no bigint not null,
  -- In US cents: a run above it needs a second person; null: none does.
  second_person_above bigint,
  version int not null,
  changed_at timestamptz not null,
  constraint payout_settings_pkey primary key (mer_no),
  constraint payout_settings_not_negative check (second_person_above >= 0)
);

create table payout_runs (
  mer_no bigint not null,
  run_id text not null,
  -- Chosen by the browser when the form was opened: sending it again makes no second run.
  request_key text not null,
  name text not null,
  state text not null,
  reason text not null,
  created_by text not null,
  created_at timestamptz not null,
  released_at timestamptz,
  constraint payout_runs_pkey primary key (mer_no, run_id),
  constraint payout_runs_once unique (mer_no, request_key),
  constraint payout_runs_state_known check (state in ('waiting', 'released', 'rejected'))
);

create table payout_run_lines (
  mer_no bigint not null,
  run_id text not null,
  line_no int not null,
  mer_order_no text not null,
  currency text not null,
  amount bigint not null,
  kind text not null,
  beneficiary text not null,
  account_masked text not null,
  -- The payout as it will be made, encrypted; removed once it is decided.
  sealed bytea,
  state text not null,
  trade_no text,
  problem text,
  -- When the worker takes it next; null while the run waits, and once it is done.
  ask_at timestamptz,
  constraint payout_run_lines_pkey primary key (mer_no, run_id, line_no),
  constraint payout_run_lines_state_known check (state in ('waiting', 'made', 'refused', 'rejected')),
  constraint payout_run_lines_made_has_order check ((state = 'made') = (trade_no is not null)),
  constraint payout_run_lines_waiting_is_sealed check ((state = 'waiting') = (sealed is not null))
);

create index payout_run_lines_due on payout_run_lines (ask_at) where ask_at is not null;
create index payout_run_lines_by_number on payout_run_lines (mer_no, mer_order_no) where state = 'waiting';
