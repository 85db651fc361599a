-- The back office: people with roles, their sessions and one-time links, and the log of everything that people decide.

alter table users drop constraint users_operators_have_no_merchant;
alter table users drop constraint users_role_known;
alter table users drop constraint users_pkey;

alter table users
  add column user_id text,
  add column name text not null default '',
  add column state text not null default 'active',
  add column totp_secret bytea,
  -- The time step of the last code that was accepted: a code counts once.
  add column totp_step bigint,
  add column language text,
  add column signed_in_at timestamptz,
  add column version int not null default 1,
  alter column password_hash drop not null;

update users set user_id = gen_random_uuid()::text, role = case role when 'operator' then 'admin' else 'owner' end;

alter table users
  alter column user_id set not null,
  alter column name drop default,
  alter column state drop default,
  alter column version drop default,
  add constraint users_pkey primary key (mer_no, user_id),
  add constraint users_email_unique unique (email),
  add constraint users_email_lower_case check (email = lower(email)),
  add constraint users_state_known check (state in ('invited', 'active', 'disabled')),
  add constraint users_active_with_password check (state <> 'active' or password_hash is not null);

create table roles (
  mer_no bigint not null,
  role text not null,
  permissions text[] not null,
  version int not null,
  created_at timestamptz not null,
  constraint roles_pkey primary key (mer_no, role)
);

create table user_links (
  mer_no bigint not null,
  -- SHA-256 of the token in the link.
  link_id text not null,
  user_id text not null,
  purpose text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint user_links_pkey primary key (mer_no, link_id),
  constraint user_links_link_id_unique unique (link_id),
  constraint user_links_purpose_known check (purpose in ('invitation', 'confirmation', 'reset'))
);

create table sessions (
  mer_no bigint not null,
  -- SHA-256 of the token in the cookie.
  session_id text not null,
  user_id text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- When the second factor was last given; null while only the password was.
  factor_at timestamptz,
  address text not null,
  agent text not null,
  ended_at timestamptz,
  constraint sessions_pkey primary key (mer_no, session_id),
  constraint sessions_session_id_unique unique (session_id)
);

create index sessions_by_user on sessions (mer_no, user_id, created_at);

create table audit_log (
  mer_no bigint not null,
  entry_id text not null,
  at timestamptz not null,
  actor_kind text not null,
  actor text not null,
  address text,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text,
  constraint audit_log_pkey primary key (mer_no, entry_id),
  constraint audit_log_actor_kind_known check (actor_kind in ('user', 'command', 'system'))
);

create index audit_log_by_time on audit_log (entry_id);
create index audit_log_by_subject on audit_log (mer_no, subject, entry_id);

create trigger audit_log_append_only before delete or update or truncate on audit_log
  for each statement execute function refuse_change();
