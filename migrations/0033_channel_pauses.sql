-- Channels that operators have paused, and how each channel answered, minute by minute.
create table channel_pauses (
  channel text not null,
  paused_at timestamptz not null,
  paused_by text not null,
  reason text not null,
  constraint channel_pauses_pkey primary key (channel)
);

create table channel_health (
  channel text not null,
  minute timestamptz not null,
  outcome text not null,
  calls int not null,
  total_ms bigint not null,
  constraint channel_health_pkey primary key (channel, minute, outcome),
  constraint channel_health_outcome_known check (outcome in ('answered', 'declined', 'failed', 'unknown'))
);

create index channel_health_by_minute on channel_health (minute);
