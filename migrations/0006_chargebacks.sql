-- Chargebacks, what speaks against them, and the disputes that channels told of.

alter table merchants
  -- Where chargebacks are told when the order names no address of its own.
  add column chargeback_url text not null default '';

create table chargebacks (
  mer_no        bigint not null,
  chargeback_id text not null,
  trade_no      text not null,
  state         text not null,
  -- A code of the table of reasons.
  reason        text not null,
  currency      text not null,
  amount        bigint not null,
  fee           bigint not null,
  -- How the channel calls it; null when an operator opened it and no channel has told of it yet.
  dispute_ref   text,
  opened_at     timestamptz not null,
  resolved_at   timestamptz,
  primary key (mer_no, chargeback_id),
  constraint chargebacks_amounts_fit check (amount > 0 and fee >= 0),
  constraint chargebacks_state_known check (state in ('open', 'won', 'lost')),
  constraint chargebacks_resolved_is_dated check ((state = 'open') = (resolved_at is null))
);
create unique index chargebacks_one_at_a_time on chargebacks (mer_no, trade_no) where state = 'open';
create index chargebacks_by_order on chargebacks (mer_no, trade_no, opened_at);
create index chargebacks_by_time on chargebacks (opened_at);

create table chargeback_evidence (
  mer_no        bigint not null,
  evidence_id   text not null,
  chargeback_id text not null,
  note          text not null,
  -- Of the file only what tells it apart; null where none was given.
  file_name     text,
  file_bytes    integer,
  file_sha256   text,
  added_at      timestamptz not null,
  primary key (mer_no, evidence_id),
  constraint chargeback_evidence_file_whole check (num_nulls(file_name, file_bytes, file_sha256) in (0, 3))
);
create index chargeback_evidence_of_chargeback on chargeback_evidence (mer_no, chargeback_id);

-- What channels told, each dispute once. It belongs to a channel until its merchant is found. The latest told_at is also
-- how far a channel has been read.
create table channel_disputes (
  channel     text not null,
  dispute_ref text not null,
  -- Our reference of the attempt that is disputed.
  reference   text not null,
  currency    text not null,
  amount      bigint not null,
  reason      text not null,
  told_at     timestamptz not null,
  -- Null while it waits; then what became of it.
  taken_at    timestamptz,
  result      text not null default '',
  primary key (channel, dispute_ref)
);
create index channel_disputes_by_time on channel_disputes (channel, told_at);
create index channel_disputes_waiting on channel_disputes (told_at) where taken_at is null;
