-- Outgoing mail: an outbox, the alerts that become mails, and who wants which alert.

create table mails (
  mer_no bigint not null,
  mail_id text not null,
  recipient text not null,
  template text not null,
  language text not null,
  -- What the template says. Never a secret.
  content jsonb not null,
  -- A one-time link, encrypted. Live removes it once the mail was sent.
  sealed_link bytea,
  state text not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  tries int not null,
  error text,
  constraint mails_pkey primary key (mer_no, mail_id),
  constraint mails_state_known check (state in ('waiting', 'sent', 'failed'))
);

create index mails_due on mails (due_at) where state = 'waiting';
create index mails_by_time on mails (mail_id);

create table alerts (
  mer_no bigint not null,
  alert_id text not null,
  kind text not null,
  content jsonb not null,
  created_at timestamptz not null,
  constraint alerts_pkey primary key (mer_no, alert_id)
);

create index alerts_by_time on alerts (alert_id);

-- Alerts of one kind that are sent at most once in a while.
create table alert_pauses (
  mer_no bigint not null,
  kind text not null,
  until timestamptz not null,
  constraint alert_pauses_pkey primary key (mer_no, kind)
);

create table alert_settings (
  mer_no bigint not null,
  user_id text not null,
  kind text not null,
  is_on boolean not null,
  constraint alert_settings_pkey primary key (mer_no, user_id, kind)
);
