-- What operators let through, refuse, challenge or review: lists, rules, what they hit, and what velocity rules count.

-- Merchant 0 is the platform: its entries and rules concern every merchant.
create table risk_entries (
  mer_no bigint not null,
  entry_id text not null,
  list text not null,
  kind text not null,
  -- A card by its fingerprint, all others as text.
  value text not null,
  -- What people see of it.
  shown text not null,
  reason text not null,
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz,
  constraint risk_entries_pkey primary key (mer_no, entry_id),
  constraint risk_entries_once unique (mer_no, list, kind, value),
  constraint risk_entries_list_known check (list in ('block', 'allow')),
  constraint risk_entries_kind_known check (kind in ('card', 'bin', 'country', 'address', 'email', 'device'))
);

create index risk_entries_by_id on risk_entries (entry_id);

create table risk_rules (
  mer_no bigint not null,
  rule_id text not null,
  name text not null,
  action text not null,
  conditions jsonb not null,
  state text not null,
  version int not null,
  created_at timestamptz not null,
  created_by text not null,
  changed_at timestamptz not null,
  changed_by text not null,
  -- What it would have done to last month's orders. Null until this version was tried.
  tried_at timestamptz,
  tried jsonb,
  constraint risk_rules_pkey primary key (mer_no, rule_id),
  constraint risk_rules_action_known check (action in ('refuse', 'challenge', 'review')),
  constraint risk_rules_state_known check (state in ('draft', 'watching', 'on', 'off')),
  constraint risk_rules_tried_before_on check (state <> 'on' or tried_at is not null)
);

-- One row for each entry and rule that concerned an attempt. It keeps the name that the rule had then.
create table risk_hits (
  mer_no bigint not null,
  trade_no text not null,
  attempt_no smallint not null,
  source_id text not null,
  name text not null,
  action text not null,
  -- The rule only counted: the payment went on as without it.
  watched boolean not null,
  at timestamptz not null,
  constraint risk_hits_pkey primary key (mer_no, trade_no, attempt_no, source_id),
  constraint risk_hits_action_known check (action in ('refuse', 'challenge', 'review'))
);

create index risk_hits_by_time on risk_hits (at, trade_no, source_id);
create index risk_hits_by_source on risk_hits (source_id, at);

-- What velocity rules count: one row for each attempt and key, written only while such a rule watches or is on.
create table risk_uses (
  mer_no bigint not null,
  key text not null,
  at timestamptz not null,
  trade_no text not null,
  usd_value bigint not null,
  constraint risk_uses_pkey primary key (mer_no, key, at, trade_no)
);

create index risk_uses_by_time on risk_uses using brin (at) with (pages_per_range = 32, autosummarize = on);
