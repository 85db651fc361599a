-- Second factors, devices, throttling, and companies that register themselves.

create table passkeys (
  mer_no bigint not null,
  -- The authenticator's credential id, in base64url.
  passkey_id text not null,
  user_id text not null,
  name text not null,
  -- SubjectPublicKeyInfo.
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint passkeys_pkey primary key (mer_no, passkey_id),
  constraint passkeys_passkey_id_unique unique (passkey_id)
);

create index passkeys_by_user on passkeys (mer_no, user_id);

create table recovery_codes (
  mer_no bigint not null,
  user_id text not null,
  -- Keyed by the master key: a copy of the table alone reveals no code.
  code_hash text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (mer_no, user_id, code_hash)
);

-- What a session was asked to prove: the secret of an authenticator app that is not confirmed yet, or a passkey's challenge.
create table session_challenges (
  mer_no bigint not null,
  session_id text not null,
  purpose text not null,
  sealed bytea not null,
  expires_at timestamptz not null,
  constraint session_challenges_pkey primary key (mer_no, session_id, purpose),
  constraint session_challenges_purpose_known check (purpose in ('totp', 'new-passkey', 'passkey'))
);

create index session_challenges_by_expiry on session_challenges (expires_at);

-- Browsers that a person has signed in with.
create table user_devices (
  mer_no bigint not null,
  user_id text not null,
  -- SHA-256 of the token in the browser's cookie.
  device_id text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  constraint user_devices_pkey primary key (mer_no, user_id, device_id)
);

-- Tries by account and by address, before it is known whose they are.
create table sign_in_tries (
  -- What is tried, and a keyed hash of the account or the address.
  subject text not null,
  since timestamptz not null,
  tries int not null,
  constraint sign_in_tries_pkey primary key (subject)
);

create index sign_in_tries_by_time on sign_in_tries (since);

-- What a company asks of its people.
create table sign_in_rules (
  mer_no bigint not null,
  factor_required boolean not null,
  version int not null,
  constraint sign_in_rules_pkey primary key (mer_no)
);

-- Companies whose address is not confirmed yet. A row expires with its link.
create table unconfirmed_companies (
  email text not null,
  -- SHA-256 of the token in the link.
  link_id text not null,
  company text not null,
  contact text not null,
  website text not null,
  country text not null,
  language text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint unconfirmed_companies_pkey primary key (email),
  constraint unconfirmed_companies_link_id_unique unique (link_id)
);

create index unconfirmed_companies_by_expiry on unconfirmed_companies (expires_at);

-- What a company said about itself when it registered.
create table registered_companies (
  mer_no bigint not null,
  email text not null,
  company text not null,
  contact text not null,
  website text not null,
  country text not null,
  registered_at timestamptz not null,
  confirmed_at timestamptz not null,
  constraint registered_companies_pkey primary key (mer_no)
);

create index user_links_by_expiry on user_links (expires_at);
