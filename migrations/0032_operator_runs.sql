-- Long work that an operator starts and watches: checking the books, settling, reconciling.
create table operator_runs (
  mer_no bigint not null,
  run_id text not null,
  kind text not null,
  state text not null,
  started_by text not null,
  started_at timestamptz not null,
  -- The node that runs it writes this every few seconds; a run that falls silent was lost with its node.
  seen_at timestamptz not null,
  ended_at timestamptz,
  progress jsonb not null,
  result jsonb,
  constraint operator_runs_pkey primary key (mer_no, run_id),
  constraint operator_runs_state_known check (state in ('running', 'done', 'failed'))
);

-- One of a kind at a time.
create unique index operator_runs_running on operator_runs (kind) where state = 'running';
create index operator_runs_by_kind on operator_runs (kind, run_id);
