-- The result of all migrations, table by table. Written by "npm run schema", checked by a test, and for reading only:
-- never edit it by hand, and never load it.

create table alert_pauses (
  mer_no bigint not null,
  kind text not null,
  until timestamp with time zone not null,
  constraint alert_pauses_pkey primary key (mer_no, kind)
);

create table alert_settings (
  mer_no bigint not null,
  user_id text not null,
  kind text not null,
  is_on boolean not null,
  constraint alert_settings_pkey primary key (mer_no, user_id, kind)
);

create table alerts (
  mer_no bigint not null,
  alert_id text not null,
  kind text not null,
  content jsonb not null,
  created_at timestamp with time zone not null,
  constraint alerts_pkey primary key (mer_no, alert_id)
);
create index alerts_by_time on alerts using btree (alert_id);

create table approvals (
  mer_no bigint not null,
  approval_id text not null,
  decider text not null,
  kind text not null,
  subject text not null,
  action jsonb not null,
  currency text,
  amount bigint,
  asked_kind text not null,
  asked_by text not null,
  asked_at timestamp with time zone not null,
  reason text not null,
  expires_at timestamp with time zone not null,
  state text not null,
  decided_kind text,
  decided_by text,
  decided_at timestamp with time zone,
  decision text,
  constraint approvals_pkey primary key (mer_no, approval_id),
  constraint approvals_decided_by_somebody check ((state = any (array['approved'::text, 'rejected'::text])) = (decided_by is not null)),
  constraint approvals_decider_known check (decider = any (array['platform'::text, 'merchant'::text])),
  constraint approvals_kind_known check (kind = any (array['outcome'::text, 'correction'::text, 'suspense'::text, 'payouts'::text, 'beneficiary'::text, 'owner'::text])),
  constraint approvals_state_known check (state = any (array['waiting'::text, 'approved'::text, 'rejected'::text, 'expired'::text])),
  constraint approvals_two_people check (state <> 'approved'::text or asked_kind is distinct from decided_kind or asked_by is distinct from decided_by)
);
create index approvals_by_decider on approvals using btree (decider, approval_id);
create unique index approvals_waiting_once on approvals using btree (mer_no, kind, subject) where state = 'waiting'::text;

create table attempt_rows (
  mer_no bigint not null,
  trade_no text not null,
  attempt_no smallint not null,
  channel text not null,
  state text not null,
  channel_ref text,
  action json,
  message text not null default ''::text,
  card_first6 text,
  card_last4 text,
  card_brand text,
  card_fingerprint text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  ask_at timestamp with time zone,
  asks integer not null default 0,
  details json,
  sealed bytea,
  chosen json,
  constraint attempt_rows_pkey primary key (mer_no, trade_no, attempt_no),
  constraint attempt_rows_open_is_asked check ((state = any (array['succeeded'::text, 'failed'::text])) = (ask_at is null)),
  constraint attempt_rows_state_known check (state = any (array['calling'::text, 'pending'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text]))
);
create index attempt_rows_by_decision on attempt_rows using brin (decided_at) with (pages_per_range='32', autosummarize='on');
create index attempt_rows_open_by_time on attempt_rows using btree (mer_no, ask_at, trade_no) where ask_at is not null;

create table audit_log (
  mer_no bigint not null,
  entry_id text not null,
  at timestamp with time zone not null,
  actor_kind text not null,
  actor text not null,
  address text,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text,
  constraint audit_log_pkey primary key (mer_no, entry_id),
  constraint audit_log_actor_kind_known check (actor_kind = any (array['user'::text, 'command'::text, 'system'::text]))
);
create index audit_log_by_action on audit_log using btree (action collate "C", entry_id);
create index audit_log_by_actor on audit_log using btree (lower(actor), entry_id);
create index audit_log_by_subject on audit_log using btree (mer_no, subject, entry_id);
create index audit_log_by_time on audit_log using btree (entry_id);

create table balance_deltas (
  account text not null,
  delta_id text not null,
  currency text not null,
  mer_nos bigint[] not null,
  debits bigint[] not null,
  credits bigint[] not null,
  constraint balance_deltas_pkey primary key (account, delta_id),
  constraint balance_deltas_of_merchants check (cardinality(mer_nos) > 0 and cardinality(debits) = cardinality(mer_nos) and cardinality(credits) = cardinality(mer_nos))
);

create table balance_sums (
  mer_no bigint not null,
  account text not null,
  currency text not null,
  debits bigint not null,
  credits bigint not null,
  constraint balance_sums_pkey primary key (mer_no, account, currency)
);

create table beneficiaries (
  mer_no bigint not null,
  beneficiary_id text not null,
  label text not null,
  kind text not null,
  currency text not null,
  account_masked text not null,
  fingerprint text not null,
  details json not null,
  sealed bytea not null,
  state text not null,
  usable_at timestamp with time zone not null,
  confirmed_by text,
  created_by text not null,
  created_at timestamp with time zone not null,
  version integer not null,
  constraint beneficiaries_pkey primary key (mer_no, beneficiary_id),
  constraint beneficiaries_kind_known check (kind = any (array['bank_account'::text, 'pix'::text, 'per_transfer'::text, 'spei'::text, 'coin'::text])),
  constraint beneficiaries_state_known check (state = any (array['active'::text, 'removed'::text]))
);
create unique index beneficiaries_account_once on beneficiaries using btree (mer_no, fingerprint) where state = 'active'::text;

create table bookings (
  mer_no bigint not null,
  subject text not null,
  step text not null,
  currency text not null,
  at timestamp with time zone not null,
  steps text[] not null,
  debited text[] not null,
  credited text[] not null,
  amounts bigint[] not null,
  constraint bookings_pkey primary key (mer_no, subject, step),
  constraint bookings_above_zero check (0 < all (amounts)),
  constraint bookings_available_was_settled check (('merchant:available'::text <> all (credited)) or array_to_string(debited, ' '::text) !~~ '%rail:%'::text or (step = any (array['correction'::text, 'payout:came-back'::text])) or step ~~ 'refund-returned:%'::text or step ~~ 'chargeback-won:%'::text or step ~~ 'opening-%'::text) not valid,
  constraint bookings_have_legs check (cardinality(steps) > 0 and cardinality(debited) = cardinality(steps) and cardinality(credited) = cardinality(steps) and cardinality(amounts) = cardinality(steps))
);
create index bookings_by_time on bookings using brin (at) with (pages_per_range='32', autosummarize='on');

create table bulk_refund_rows (
  mer_no bigint not null,
  bulk_id text not null,
  row_no integer not null,
  number text not null,
  trade_no text,
  mer_order_no text not null,
  currency text not null,
  amount bigint not null,
  state text not null,
  message text not null,
  refund_no text,
  constraint bulk_refund_rows_pkey primary key (mer_no, bulk_id, row_no),
  constraint bulk_refund_rows_accepted_has_number check ((state = 'accepted'::text) = (refund_no is not null)),
  constraint bulk_refund_rows_ready_is_known check (state <> 'ready'::text or trade_no is not null),
  constraint bulk_refund_rows_state_known check (state = any (array['ready'::text, 'refused'::text, 'accepted'::text, 'failed'::text]))
);

create table bulk_refunds (
  mer_no bigint not null,
  bulk_id text not null,
  user_id text not null,
  email text not null,
  address text not null,
  reason text not null,
  state text not null,
  version integer not null,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  leased_until timestamp with time zone,
  constraint bulk_refunds_pkey primary key (mer_no, bulk_id),
  constraint bulk_refunds_running_is_leased check ((state = 'running'::text) = (leased_until is not null)),
  constraint bulk_refunds_state_known check (state = any (array['checked'::text, 'running'::text, 'done'::text, 'cancelled'::text]))
);
create index bulk_refunds_to_run on bulk_refunds using btree (leased_until) where leased_until is not null;

create table channel_asks (
  channel text not null,
  reference text not null,
  ask_at timestamp with time zone not null,
  asks integer not null default 0,
  constraint channel_asks_pkey primary key (channel, reference)
);
create index channel_asks_due on channel_asks using btree (ask_at);

create table channel_disputes (
  channel text not null,
  dispute_ref text not null,
  reference text not null,
  currency text not null,
  amount bigint not null,
  reason text not null,
  told_at timestamp with time zone not null,
  taken_at timestamp with time zone,
  result text not null default ''::text,
  chargeback_id text,
  stage text not null,
  respond_by timestamp with time zone,
  by_callback boolean not null,
  stored_at timestamp with time zone not null,
  constraint channel_disputes_pkey primary key (channel, dispute_ref, stage, told_at),
  constraint channel_disputes_stage_known check (stage = any (array['inquiry'::text, 'open'::text, 'won'::text, 'lost'::text]))
);
create index channel_disputes_by_reference on channel_disputes using btree (reference);
create index channel_disputes_by_time on channel_disputes using btree (channel, told_at);
create index channel_disputes_waiting on channel_disputes using btree (told_at) where taken_at is null;

create table channel_health (
  channel text not null,
  minute timestamp with time zone not null,
  outcome text not null,
  calls integer not null,
  total_ms bigint not null,
  constraint channel_health_pkey primary key (channel, minute, outcome),
  constraint channel_health_outcome_known check (outcome = any (array['answered'::text, 'declined'::text, 'failed'::text, 'unknown'::text]))
);
create index channel_health_by_minute on channel_health using btree (minute);

create table channel_numbers (
  channel text not null,
  number bigint not null,
  reference text not null,
  constraint channel_numbers_pkey primary key (channel, number),
  constraint channel_numbers_one_per_reference unique (channel, reference),
  constraint channel_numbers_number_positive check (number >= 0)
);

create table channel_pauses (
  channel text not null,
  paused_at timestamp with time zone not null,
  paused_by text not null,
  reason text not null,
  constraint channel_pauses_pkey primary key (channel)
);

create table channel_records (
  channel text not null,
  kind text not null,
  key text not null,
  reference text,
  body jsonb not null,
  changed_at timestamp with time zone not null,
  constraint channel_records_pkey primary key (channel, kind, key)
);
create index channel_records_reference on channel_records using btree (channel, kind, reference) where reference is not null;

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
  imported_at timestamp with time zone not null,
  withdrawn integer not null default 0,
  is_fetched boolean not null default false,
  import_no integer not null,
  lines_fingerprint bigint not null default 0,
  fingerprint bigint not null default 0,
  constraint channel_statements_pkey primary key (mer_no, statement_id)
);
create index channel_statements_by_days on channel_statements using btree (channel, first_day, last_day);
create unique index channel_statements_by_import on channel_statements using btree (import_no);

create table channel_watchers (
  channel text not null,
  node uuid not null,
  leased_until timestamp with time zone not null,
  failing_since timestamp with time zone,
  failing_why text,
  constraint channel_watchers_pkey primary key (channel)
);

create table chargeback_evidence (
  mer_no bigint not null,
  evidence_id text not null,
  chargeback_id text not null,
  note text not null,
  file_name text,
  file_bytes integer,
  file_sha256 text,
  added_at timestamp with time zone not null,
  file_sealed bytea,
  added_by text,
  constraint chargeback_evidence_pkey primary key (mer_no, evidence_id),
  constraint chargeback_evidence_file_whole check (num_nulls(file_name, file_bytes, file_sha256) = any (array[0, 3]))
);
create index chargeback_evidence_of_chargeback on chargeback_evidence using btree (mer_no, chargeback_id);

create table chargebacks (
  mer_no bigint not null,
  chargeback_id text not null,
  trade_no text not null,
  state text not null,
  reason text not null,
  currency text not null,
  amount bigint not null,
  fee bigint not null,
  dispute_ref text,
  opened_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  answer_by timestamp with time zone,
  reminders smallint not null default 0,
  constraint chargebacks_pkey primary key (mer_no, chargeback_id),
  constraint chargebacks_amounts_fit check (amount > 0 and fee >= 0),
  constraint chargebacks_resolved_is_dated check ((state = any (array['inquiry'::text, 'open'::text])) = (resolved_at is null)),
  constraint chargebacks_state_known check (state = any (array['inquiry'::text, 'closed'::text, 'open'::text, 'won'::text, 'lost'::text])),
  constraint chargebacks_undecided_have_deadline check ((state <> all (array['inquiry'::text, 'open'::text])) or answer_by is not null)
);
create index chargebacks_by_deadline on chargebacks using btree (answer_by) where (state = any (array['inquiry'::text, 'open'::text])) and reminders < 2;
create index chargebacks_by_order on chargebacks using btree (mer_no, trade_no, opened_at);
create index chargebacks_by_time on chargebacks using btree (opened_at);
create unique index chargebacks_one_at_a_time on chargebacks using btree (mer_no, trade_no) where state = 'open'::text;
create index chargebacks_undecided on chargebacks using btree (answer_by, chargeback_id) where state = any (array['inquiry'::text, 'open'::text]);

create table company_details (
  mer_no bigint not null,
  contact text not null,
  email text not null,
  website text not null,
  country text not null,
  version integer not null,
  changed_at timestamp with time zone not null,
  constraint company_details_pkey primary key (mer_no)
);

create table database_mode (
  singleton boolean not null default true,
  mode text not null,
  marked_at timestamp with time zone not null,
  constraint database_mode_pkey primary key (singleton),
  constraint database_mode_known check (mode = any (array['sandbox'::text, 'live'::text])),
  constraint database_mode_single_row check (singleton)
);

create table demo_merchants (
  mer_no bigint not null,
  made_at timestamp with time zone not null,
  constraint demo_merchants_pkey primary key (mer_no),
  constraint demo_merchants_mer_no_fkey foreign key (mer_no) references merchants(mer_no)
);

create table deposit_owners (
  channel text not null,
  deposit_ref text not null,
  reference text not null,
  constraint deposit_owners_pkey primary key (channel, deposit_ref)
);

create table deposits (
  mer_no bigint not null,
  trade_no text not null,
  deposit_ref text not null,
  attempt_no smallint not null,
  currency text not null,
  amount bigint not null,
  state text not null,
  payer_name text,
  payer_account text,
  tx_hash text,
  gas_cost text,
  came_at timestamp with time zone not null,
  withdrawn bigint not null default 0,
  constraint deposits_pkey primary key (mer_no, trade_no, attempt_no, deposit_ref),
  constraint deposits_above_zero check (amount > 0),
  constraint deposits_state_known check (state = any (array['waiting'::text, 'taken'::text, 'suspense'::text])),
  constraint deposits_withdrawn_in_range check (withdrawn >= 0 and withdrawn <= amount)
);

create table export_chunks (
  mer_no bigint not null,
  export_id text not null,
  chunk_no integer not null,
  content bytea not null,
  constraint export_chunks_pkey primary key (mer_no, export_id, chunk_no)
);

create table export_schedules (
  mer_no bigint not null,
  schedule_id text not null,
  user_id text not null,
  email text not null,
  name text not null,
  filter json not null,
  columns text not null,
  every text not null,
  next_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  list text not null default 'orders'::text,
  constraint export_schedules_pkey primary key (mer_no, schedule_id),
  constraint export_schedules_every_known check (every = any (array['day'::text, 'week'::text])),
  constraint export_schedules_list_known check (list = any (array['orders'::text, 'refunds'::text, 'payouts'::text, 'disputes'::text]))
);
create index export_schedules_due on export_schedules using btree (next_at);

create table exports (
  mer_no bigint not null,
  export_id text not null,
  user_id text not null,
  filter json not null,
  columns text not null,
  state text not null,
  rows_written bigint not null,
  bytes_written bigint not null,
  reached_at timestamp with time zone,
  reached_trade_no text,
  problem text not null,
  schedule_id text,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  list text not null default 'orders'::text,
  constraint exports_pkey primary key (mer_no, export_id),
  constraint exports_list_known check (list = any (array['orders'::text, 'refunds'::text, 'payouts'::text, 'disputes'::text])),
  constraint exports_reached_whole check ((reached_at is null) = (reached_trade_no is null)),
  constraint exports_running_is_leased check ((state = 'running'::text) = (leased_until is not null)),
  constraint exports_state_known check (state = any (array['running'::text, 'done'::text, 'failed'::text]))
);
create index exports_to_expire on exports using btree (expires_at);
create index exports_to_write on exports using btree (leased_until) where leased_until is not null;

create table fee_plans (
  mer_no bigint not null,
  method text not null,
  fee_bps integer not null,
  fee_fixed numeric(14,2) not null,
  refund_fee numeric(14,2) not null default 0,
  chargeback_fee numeric(14,2) not null default 0,
  margin_bps integer not null,
  margin_days integer not null,
  settle_days integer not null,
  constraint fee_plans_pkey primary key (mer_no, method),
  constraint fee_plans_mer_no_fkey foreign key (mer_no) references merchants(mer_no),
  constraint fee_plans_in_bounds check (fee_bps >= 0 and fee_bps <= 10000 and margin_bps >= 0 and margin_bps <= 10000 and fee_fixed >= 0::numeric and margin_days >= 0 and margin_days <= 3650 and settle_days >= 0 and settle_days <= 365)
);

create table hosted_orders (
  mer_no bigint not null,
  trade_no text not null,
  method text,
  expires_at timestamp with time zone not null,
  constraint hosted_orders_pkey primary key (mer_no, trade_no)
);
create index hosted_orders_by_expiry on hosted_orders using btree (expires_at);

create table indexed_orders (
  mer_no bigint not null,
  trade_no text not null,
  version integer not null,
  attempts integer not null,
  keys text not null,
  local_day date not null,
  hour smallint not null,
  method text not null,
  state smallint not null,
  currency text not null,
  amount bigint not null,
  reason text not null,
  constraint indexed_orders_pkey primary key (mer_no, trade_no)
);

create table limit_usage (
  mer_no bigint not null,
  method text not null,
  period text not null,
  used bigint not null,
  constraint limit_usage_pkey primary key (mer_no, method, period)
);

create table mails (
  mer_no bigint not null,
  mail_id text not null,
  recipient text not null,
  template text not null,
  language text not null,
  content jsonb not null,
  sealed_link bytea,
  state text not null,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  tries integer not null,
  error text,
  constraint mails_pkey primary key (mer_no, mail_id),
  constraint mails_state_known check (state = any (array['waiting'::text, 'sent'::text, 'failed'::text]))
);
create index mails_by_time on mails using btree (mail_id);
create index mails_due on mails using btree (due_at) where state = 'waiting'::text;

create table merchant_channels (
  mer_no bigint not null,
  method text not null,
  channel text not null,
  priority smallint not null,
  weight smallint not null,
  constraint merchant_channels_pkey primary key (mer_no, method, channel),
  constraint merchant_channels_mer_no_fkey foreign key (mer_no) references merchants(mer_no),
  constraint merchant_channels_in_bounds check (priority >= 1 and priority <= 100 and weight >= 1 and weight <= 1000)
);

create table merchant_currencies (
  mer_no bigint not null,
  currency text not null,
  settle_currency text not null,
  constraint merchant_currencies_pkey primary key (mer_no, currency),
  constraint merchant_currencies_mer_no_fkey foreign key (mer_no) references merchants(mer_no)
);

create table merchant_keys (
  mer_no bigint not null,
  key_id text not null,
  kind text not null,
  sealed bytea not null,
  made_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  retires_at timestamp with time zone,
  constraint merchant_keys_pkey primary key (mer_no, key_id),
  constraint merchant_keys_mer_no_fkey foreign key (mer_no) references merchants(mer_no),
  constraint merchant_keys_kind_known check (kind = any (array['md5'::text, 'rsa'::text, 'webhook'::text]))
);

create table merchant_plans (
  mer_no bigint not null,
  plan text not null,
  constraint merchant_plans_pkey primary key (mer_no),
  constraint merchant_plans_mer_no_fkey foreign key (mer_no) references merchants(mer_no)
);
create index merchant_plans_by_plan on merchant_plans using btree (plan);

create table merchant_websites (
  mer_no bigint not null,
  site text not null,
  approved_at timestamp with time zone,
  constraint merchant_websites_pkey primary key (mer_no, site),
  constraint merchant_websites_mer_no_fkey foreign key (mer_no) references merchants(mer_no)
);

create table merchants (
  mer_no bigint not null,
  name text not null,
  state text not null,
  timezone text not null default 'UTC'::text,
  methods text[],
  card_brands text[],
  require_rsa boolean not null default false,
  require_ip boolean not null default false,
  sign_answers boolean not null default false,
  notify_review boolean not null default false,
  ips text[] not null default '{}'::text[],
  limit_single bigint,
  limit_daily bigint,
  limit_monthly bigint,
  refund_credit bigint not null default 50000,
  created_at timestamp with time zone not null,
  approve_refunds boolean not null default false,
  chargeback_url text not null default ''::text,
  payout_approval bigint,
  accent text,
  logo bytea,
  review_above bigint,
  amounts_in_notifications boolean not null default false,
  constraint merchants_pkey primary key (mer_no),
  constraint merchants_accent_is_colour check (accent ~ '^#[0-9a-f]{6}$'::text),
  constraint merchants_logo_fits check (octet_length(logo) <= 65536),
  constraint merchants_mer_no_fits check (mer_no >= 0 and mer_no <= '9999999999'::bigint),
  constraint merchants_state_known check (state = any (array['pending'::text, 'active'::text, 'suspended'::text, 'closed'::text]))
);

create table migrations (
  name text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey primary key (name)
);

create table named_plans (
  mer_no bigint not null,
  plan text not null,
  method text not null,
  fee_bps integer not null,
  fee_fixed numeric(14,2) not null,
  refund_fee numeric(14,2) not null,
  chargeback_fee numeric(14,2) not null,
  margin_bps integer not null,
  margin_days integer not null,
  settle_days integer not null,
  constraint named_plans_pkey primary key (mer_no, plan, method),
  constraint named_plans_in_bounds check (fee_bps >= 0 and fee_bps <= 10000 and margin_bps >= 0 and margin_bps <= 10000 and fee_fixed >= 0::numeric and margin_days >= 0 and margin_days <= 3650 and settle_days >= 0 and settle_days <= 365)
);

create table notification_attempts (
  mer_no bigint not null,
  notification_id text not null,
  attempt_no integer not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  status integer,
  latency_ms integer,
  answer text,
  error text,
  constraint notification_attempts_pkey primary key (mer_no, notification_id, attempt_no)
);

create table notification_pauses (
  mer_no bigint not null,
  paused_at timestamp with time zone not null,
  constraint notification_pauses_pkey primary key (mer_no)
);

create table notification_resends (
  mer_no bigint not null,
  asked_at timestamp with time zone not null,
  since timestamp with time zone not null,
  constraint notification_resends_pkey primary key (mer_no, asked_at)
);

create table notifications (
  mer_no bigint not null,
  notification_id text not null,
  trade_no text not null,
  event text not null,
  url text not null,
  fields json not null,
  made_at timestamp with time zone not null,
  queued_at timestamp with time zone not null default clock_timestamp(),
  body text,
  due_at timestamp with time zone,
  leased_until timestamp with time zone,
  parked boolean not null default false,
  attempts integer not null default 0,
  round_start integer not null default 0,
  delivered_at timestamp with time zone,
  failed_at timestamp with time zone,
  first_of_order boolean not null default false,
  acked_attempt integer,
  acked_left_at timestamp with time zone,
  acked_status integer,
  acked_latency_ms integer,
  acked_answer text,
  stored_in bigint not null default ((pg_current_xact_id())::text)::bigint,
  constraint notifications_pkey primary key (mer_no, notification_id),
  constraint notifications_attempts_counted check (attempts >= round_start and round_start >= 0),
  constraint notifications_parked_is_due check (due_at is not null or not parked),
  constraint notifications_pending_or_ended check (due_at is not null or leased_until is not null or delivered_at is not null or failed_at is not null)
);
create index notifications_by_event on notifications using btree (mer_no, event, notification_id) where event <> 'payment'::text;
create index notifications_by_order on notifications using btree (trade_no, mer_no);
create index notifications_by_transaction on notifications using brin (stored_in) with (pages_per_range='128', autosummarize='on');
create index notifications_due on notifications using btree (due_at) where due_at is not null and not parked;
create index notifications_failed on notifications using btree (failed_at) where failed_at is not null;
create index notifications_failed_by_merchant on notifications using btree (mer_no, notification_id) where failed_at is not null;
create index notifications_parked on notifications using btree (mer_no, due_at) where parked;

create table operator_runs (
  mer_no bigint not null,
  run_id text not null,
  kind text not null,
  state text not null,
  started_by text not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  progress jsonb not null,
  result jsonb,
  constraint operator_runs_pkey primary key (mer_no, run_id),
  constraint operator_runs_state_known check (state = any (array['running'::text, 'done'::text, 'failed'::text]))
);
create index operator_runs_by_kind on operator_runs using btree (kind, run_id);
create unique index operator_runs_running on operator_runs using btree (kind) where state = 'running'::text;

create table order_counts (
  mer_no bigint not null,
  local_day date not null,
  hour smallint not null,
  method text not null,
  state smallint not null,
  currency text not null,
  reason text not null,
  orders bigint not null,
  amount bigint not null,
  constraint order_counts_pkey primary key (mer_no, local_day, hour, method, state, currency, reason),
  constraint order_counts_hour_of_day check (hour >= 0 and hour <= 23)
);

create table order_details (
  mer_no bigint not null,
  trade_no text not null,
  details text not null,
  sealed bytea,
  request_mac text,
  constraint order_details_pkey primary key (mer_no, trade_no)
);

create table order_dues (
  mer_no bigint not null,
  kind text not null,
  due_at timestamp with time zone not null,
  trade_no text not null,
  margin_at timestamp with time zone,
  constraint order_dues_pkey primary key (mer_no, kind, due_at, trade_no),
  constraint order_dues_kind_known check (kind = 'settle'::text or kind = 'margin'::text and margin_at is null)
);

create table order_event_rows (
  mer_no bigint not null,
  trade_no text not null,
  version integer not null,
  from_state smallint not null,
  to_state smallint not null,
  why text not null,
  at timestamp with time zone not null,
  constraint order_event_rows_pkey primary key (mer_no, trade_no, version)
);
create index order_event_rows_by_time on order_event_rows using brin (at) with (pages_per_range='32', autosummarize='on');

create table order_index_progress (
  singleton boolean not null default true,
  read_until timestamp with time zone not null,
  checked_until timestamp with time zone not null,
  rebuild_mer_no bigint,
  rebuild_trade_no text,
  constraint order_index_progress_pkey primary key (singleton),
  constraint order_index_progress_rebuild_whole check ((rebuild_mer_no is null) = (rebuild_trade_no is null)),
  constraint order_index_progress_single_row check (singleton)
);

create table order_keys (
  mer_no bigint not null,
  key text not null,
  created_at timestamp with time zone not null,
  trade_no text not null,
  constraint order_keys_pkey primary key (mer_no, key, created_at, trade_no)
);

create table order_milestones (
  mer_no bigint not null,
  place bigint not null,
  created_at timestamp with time zone not null,
  trade_no text not null,
  constraint order_milestones_pkey primary key (mer_no, place),
  constraint order_milestones_order_unique unique (mer_no, created_at, trade_no)
);

create table order_total_deltas (
  local_day date not null,
  delta_id text not null,
  state smallint not null,
  currency text not null,
  settle_currency text not null,
  settled boolean not null,
  mer_nos bigint[] not null,
  orders bigint[] not null,
  source_amounts bigint[] not null,
  settle_amounts bigint[] not null,
  constraint order_total_deltas_pkey primary key (local_day, delta_id),
  constraint order_total_deltas_of_merchants check (cardinality(mer_nos) > 0 and cardinality(orders) = cardinality(mer_nos) and cardinality(source_amounts) = cardinality(mer_nos) and cardinality(settle_amounts) = cardinality(mer_nos))
);

create table order_totals (
  mer_no bigint not null,
  local_day date not null,
  state smallint not null,
  currency text not null,
  settle_currency text not null,
  settled boolean not null,
  orders bigint not null,
  source_amount bigint not null,
  settle_amount bigint not null,
  constraint order_totals_pkey primary key (mer_no, local_day, state, currency, settle_currency, settled)
);

create table orders (
  mer_no bigint not null,
  trade_no text not null,
  mer_order_no text not null,
  kind text not null,
  method text not null,
  currency text not null,
  amount bigint not null,
  state smallint not null,
  version integer not null default 1,
  message text not null default ''::text,
  return_url text not null default ''::text,
  notify_url text not null default ''::text,
  protest_notify_url text not null default ''::text,
  created_at timestamp with time zone not null,
  local_day date not null,
  decided_at timestamp with time zone,
  usd_value bigint not null,
  platform_limited boolean not null,
  fee_bps integer not null,
  fee_fixed bigint not null,
  margin_bps integer not null,
  margin_days integer not null,
  settle_days integer not null,
  settle_currency text not null,
  received bigint,
  handling_fee bigint,
  processing_fee bigint,
  margin bigint,
  remainder bigint,
  timezone text not null default 'UTC'::text,
  settle_rate numeric,
  settle_amount bigint,
  settled_source bigint not null default 0,
  settled_at timestamp with time zone,
  margin_held bigint not null default 0,
  margin_disputed bigint not null default 0,
  margin_released_at timestamp with time zone,
  refunded bigint not null default 0,
  refunds_open integer not null default 0,
  charged_back bigint not null default 0,
  chargeback_state text,
  exception_fees bigint not null default 0,
  made_in xid8 not null default pg_current_xact_id(),
  max_attempts smallint not null default 1,
  needs_review boolean not null default false,
  attempt_state text,
  attempt_channel text,
  attempt_ref text,
  attempt_ask_at timestamp with time zone,
  card_first6 text,
  card_last4 text,
  card_brand text,
  card_fingerprint text,
  constraint orders_pkey primary key (mer_no, trade_no),
  constraint orders_number_unique unique (mer_order_no, mer_no),
  constraint orders_amount_above_zero check (amount > 0),
  constraint orders_attempt_whole check ((attempt_state is null) = (attempt_channel is null) and (attempt_state is null) = (attempt_ask_at is null) and (attempt_state = any (array['calling'::text, 'succeeded'::text, 'failed'::text]))),
  constraint orders_chargeback_state_known check (chargeback_state = any (array['open'::text, 'won'::text, 'lost'::text])),
  constraint orders_charged_back_in_bounds check (charged_back >= 0 and charged_back <= amount),
  constraint orders_kind_known check (kind = any (array['payment'::text, 'payout'::text])),
  constraint orders_margin_in_bounds check (margin_held >= 0 and margin_held <= coalesce(margin, 0::bigint) and margin_disputed >= 0 and margin_disputed <= coalesce(margin, 0::bigint)),
  constraint orders_payout_without_position check (kind = 'payment'::text or num_nonnulls(margin, remainder, settle_amount, settled_at, margin_released_at, chargeback_state) = 0 and margin_held = 0 and margin_disputed = 0 and settled_source = 0 and refunded = 0 and refunds_open = 0 and charged_back = 0 and exception_fees = 0),
  constraint orders_refunded_in_bounds check (refunded >= 0 and refunded <= amount and refunds_open >= 0)
);
create index orders_by_creation on orders using brin (created_at) with (pages_per_range='32', autosummarize='on');
create index orders_by_decision on orders using brin (decided_at) with (pages_per_range='32', autosummarize='on');
create index orders_by_time on orders using btree (mer_no, created_at, trade_no) include (local_day, made_in) where kind = 'payment'::text;
create index orders_by_transaction on orders using btree ((made_in::text::bigint)) where kind = 'payment'::text;
create index orders_to_review on orders using btree (mer_no, trade_no) where needs_review;

create table passkeys (
  mer_no bigint not null,
  passkey_id text not null,
  user_id text not null,
  name text not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint passkeys_pkey primary key (mer_no, passkey_id),
  constraint passkeys_passkey_id_unique unique (passkey_id)
);
create index passkeys_by_user on passkeys using btree (mer_no, user_id);

create table payment_link_orders (
  mer_no bigint not null,
  link_id text not null,
  trade_no text not null,
  created_at timestamp with time zone not null,
  constraint payment_link_orders_pkey primary key (mer_no, link_id, trade_no)
);

create table payment_links (
  mer_no bigint not null,
  link_id text not null,
  title text not null,
  currency text not null,
  amount bigint,
  least bigint,
  most bigint,
  method text,
  uses text not null,
  expires_at timestamp with time zone,
  language text not null,
  reference text not null,
  notify_url text not null,
  state text not null,
  claimed_by text,
  created_by text not null,
  created_at timestamp with time zone not null,
  constraint payment_links_pkey primary key (mer_no, link_id),
  constraint payment_links_amount_positive check (amount > 0),
  constraint payment_links_bounds_for_open_amount check (amount is null or "least" is null and most is null),
  constraint payment_links_bounds_in_order check ("least" > 0 and most > 0 and "least" <= most),
  constraint payment_links_claim_for_one_use check (claimed_by is null or uses = 'one'::text),
  constraint payment_links_state_known check (state = any (array['active'::text, 'off'::text, 'stopped'::text])),
  constraint payment_links_uses_known check (uses = any (array['one'::text, 'many'::text]))
);

create table payout_run_lines (
  mer_no bigint not null,
  run_id text not null,
  line_no integer not null,
  mer_order_no text not null,
  currency text not null,
  amount bigint not null,
  kind text not null,
  beneficiary text not null,
  account_masked text not null,
  sealed bytea,
  state text not null,
  trade_no text,
  problem text,
  ask_at timestamp with time zone,
  constraint payout_run_lines_pkey primary key (mer_no, run_id, line_no),
  constraint payout_run_lines_made_has_order check ((state = 'made'::text) = (trade_no is not null)),
  constraint payout_run_lines_state_known check (state = any (array['waiting'::text, 'made'::text, 'refused'::text, 'rejected'::text])),
  constraint payout_run_lines_waiting_is_sealed check ((state = 'waiting'::text) = (sealed is not null))
);
create index payout_run_lines_by_number on payout_run_lines using btree (mer_no, mer_order_no) where state = 'waiting'::text;
create index payout_run_lines_due on payout_run_lines using btree (ask_at) where ask_at is not null;

create table payout_runs (
  mer_no bigint not null,
  run_id text not null,
  request_key text not null,
  name text not null,
  state text not null,
  reason text not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  released_at timestamp with time zone,
  constraint payout_runs_pkey primary key (mer_no, run_id),
  constraint payout_runs_once unique (mer_no, request_key),
  constraint payout_runs_state_known check (state = any (array['waiting'::text, 'released'::text, 'rejected'::text]))
);

create table payout_settings (
  mer_no bigint not null,
  second_person_above bigint,
  version integer not null,
  changed_at timestamp with time zone not null,
  includes_interface boolean not null default false,
  constraint payout_settings_pkey primary key (mer_no),
  constraint payout_settings_not_negative check (second_person_above >= 0)
);

create table payouts (
  mer_no bigint not null,
  trade_no text not null,
  kind text not null,
  account_kind text,
  state text not null,
  rail text not null,
  reference text not null,
  beneficiary json not null,
  account_masked text not null default ''::text,
  sealed bytea,
  fee bigint not null,
  funding_currency text not null,
  funding_amount bigint not null,
  funding_rate numeric,
  needs_approval boolean not null,
  approved_at timestamp with time zone,
  sending_at timestamp with time zone,
  rail_ref text,
  created_at timestamp with time zone not null,
  ask_at timestamp with time zone,
  asks integer not null default 0,
  returned_amount bigint,
  needs_merchant_approval boolean not null default false,
  merchant_approved_at timestamp with time zone,
  asked_kind text,
  asked_by text,
  constraint payouts_pkey primary key (mer_no, trade_no),
  constraint payouts_approved_before_sent check ((state <> all (array['sending'::text, 'succeeded'::text, 'returned'::text])) or (not needs_approval or approved_at is not null) and (not needs_merchant_approval or merchant_approved_at is not null)),
  constraint payouts_kind_known check ((kind = any (array['card'::text, 'checkout'::text, 'bank_account'::text, 'pix'::text, 'per_transfer'::text, 'spei'::text, 'coin'::text])) and (account_kind = any (array['card'::text, 'bank_account'::text, 'pix'::text, 'per_transfer'::text, 'spei'::text, 'coin'::text]))),
  constraint payouts_money_in_bounds check (fee >= 0 and funding_amount > 0),
  constraint payouts_only_returned_came_back check (returned_amount is null or state = 'returned'::text),
  constraint payouts_open_is_asked check ((state = any (array['tokenising'::text, 'awaiting_account'::text, 'sending'::text])) = (ask_at is not null)),
  constraint payouts_returned_amount check (returned_amount >= 0),
  constraint payouts_sent_has_account check (state <> 'sending'::text or sealed is not null and sending_at is not null),
  constraint payouts_state_known check (state = any (array['tokenising'::text, 'awaiting_account'::text, 'awaiting_approval'::text, 'sending'::text, 'succeeded'::text, 'failed'::text, 'returned'::text]))
);
create index payouts_by_state on payouts using btree (state, trade_no);
create index payouts_paid_accounts on payouts using btree (mer_no, account_masked, trade_no) where state = 'succeeded'::text;
create index payouts_to_approve on payouts using btree (created_at) where state = 'awaiting_approval'::text;
create index payouts_to_ask on payouts using btree (ask_at) where ask_at is not null;

create table platform_keys (
  name text not null,
  public_pem text not null,
  sealed bytea not null,
  made_at timestamp with time zone not null,
  constraint platform_keys_pkey primary key (name)
);

create table platform_limits (
  method text not null,
  daily bigint,
  monthly bigint,
  constraint platform_limits_pkey primary key (method)
);

create table rates (
  from_currency text not null,
  to_currency text not null,
  valid_from timestamp with time zone not null,
  rate numeric(24,12) not null,
  derived boolean not null default false,
  constraint rates_pkey primary key (from_currency, to_currency, valid_from),
  constraint rates_above_zero check (rate > 0::numeric)
);

create table recovery_codes (
  mer_no bigint not null,
  user_id text not null,
  code_hash text not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey primary key (mer_no, user_id, code_hash)
);

create table reference_items (
  list text not null,
  code text not null,
  name text not null,
  bic text not null,
  removed_at timestamp with time zone,
  constraint reference_items_pkey primary key (list, code),
  constraint reference_items_list_fkey foreign key (list) references reference_lists(list)
);

create table reference_lists (
  list text not null,
  version integer not null,
  changed_at timestamp with time zone not null,
  constraint reference_lists_pkey primary key (list),
  constraint reference_lists_known check (list = any (array['banks/per'::text, 'banks/spei'::text, 'banks/vietnam'::text, 'dispute-reasons'::text]))
);

create table refund_events (
  mer_no bigint not null,
  refund_no text not null,
  version integer not null,
  from_state text not null,
  to_state text not null,
  why text not null,
  at timestamp with time zone not null,
  constraint refund_events_pkey primary key (mer_no, refund_no, version)
);

create table refunds (
  mer_no bigint not null,
  refund_no text not null,
  trade_no text not null,
  mer_order_no text not null,
  mer_refund_no text,
  currency text not null,
  amount bigint not null,
  refund_fee bigint not null,
  remark text not null,
  notify_url text not null,
  channel text not null,
  attempt_no smallint not null,
  attempt_ref text,
  paid_amount bigint not null,
  state text not null,
  version integer not null default 1,
  message text not null,
  channel_ref text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  ask_at timestamp with time zone,
  asks integer not null default 0,
  returned_amount bigint,
  asked_kind text,
  asked_by text,
  constraint refunds_pkey primary key (mer_no, refund_no),
  constraint refunds_amount_in_bounds check (amount > 0 and amount <= paid_amount and refund_fee >= 0),
  constraint refunds_only_returned_came_back check (returned_amount is null or state = 'returned'::text),
  constraint refunds_open_is_asked check ((state = any (array['calling'::text, 'pending'::text, 'unknown'::text])) = (ask_at is not null)),
  constraint refunds_returned_amount check (returned_amount >= 0 and returned_amount <= amount),
  constraint refunds_state_known check (state = any (array['waiting'::text, 'calling'::text, 'pending'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text, 'returned'::text]))
);
create index refunds_by_order on refunds using btree (mer_no, trade_no);
create index refunds_by_state on refunds using btree (state, refund_no);
create unique index refunds_number_unique on refunds using btree (mer_no, mer_refund_no) where mer_refund_no is not null;
create index refunds_to_approve on refunds using btree (created_at) where state = 'waiting'::text;
create index refunds_to_ask on refunds using btree (ask_at) where ask_at is not null;

create table registered_companies (
  mer_no bigint not null,
  email text not null,
  company text not null,
  contact text not null,
  website text not null,
  country text not null,
  registered_at timestamp with time zone not null,
  confirmed_at timestamp with time zone not null,
  constraint registered_companies_pkey primary key (mer_no)
);

create table request_log (
  mer_no bigint not null,
  request_id uuid not null,
  endpoint text not null,
  code text not null,
  status integer not null,
  duration_ms integer not null,
  mer_order_no text,
  trade_no text,
  reason text,
  sealed_sign bytea,
  block_id uuid not null,
  place integer not null,
  constraint request_log_pkey primary key (mer_no, request_id)
);
create index request_log_by_code on request_log using btree (mer_no, code, request_id) where code <> '00000'::text;
create index request_log_by_endpoint on request_log using btree (mer_no, endpoint, request_id) where endpoint <> '/payment'::text;
create index request_log_by_order on request_log using btree (mer_no, mer_order_no, request_id) where mer_order_no is not null;
create index request_log_by_trade on request_log using btree (mer_no, trade_no, request_id) where mer_order_no is null and trade_no is not null;
create index request_log_refused on request_log using btree (mer_no, request_id) where code <> '00000'::text;

create table request_log_bodies (
  block_id uuid not null,
  packed bytea not null,
  constraint request_log_bodies_pkey primary key (block_id)
);

create table request_log_payments (
  mer_no bigint not null,
  last_id uuid not null,
  block_id uuid not null,
  request_ids uuid[] not null,
  mer_order_nos text[] not null,
  trade_nos text[] not null,
  durations_ms integer[] not null,
  places integer[] not null,
  constraint request_log_payments_pkey primary key (mer_no, last_id)
);

create table review_files (
  mer_no bigint not null,
  file_id text not null,
  trade_no text,
  proves text,
  suffix text not null,
  bytes integer not null,
  sha256 text not null,
  sealed bytea not null,
  uploaded_at timestamp with time zone not null,
  constraint review_files_pkey primary key (mer_no, file_id),
  constraint review_files_submitted_whole check ((trade_no is null) = (proves is null)),
  constraint review_files_suffix_known check (suffix = any (array['.pdf'::text, '.png'::text, '.jpg'::text]))
);
create index review_files_loose on review_files using btree (uploaded_at) where trade_no is null;
create index review_files_of_order on review_files using btree (mer_no, trade_no) where trade_no is not null;

create table reviews (
  mer_no bigint not null,
  trade_no text not null,
  state text not null,
  note text not null default ''::text,
  sealed bytea,
  asked_at timestamp with time zone,
  submitted_at timestamp with time zone,
  decided_at timestamp with time zone,
  ask_at timestamp with time zone,
  asks integer not null default 0,
  returns smallint not null default 0,
  constraint reviews_pkey primary key (mer_no, trade_no),
  constraint reviews_returning_is_asked check ((state = 'returning'::text) = (ask_at is not null)),
  constraint reviews_state_known check (state = any (array['picked'::text, 'asked'::text, 'submitted'::text, 'approved'::text, 'returning'::text, 'rejected'::text]))
);
create index reviews_to_return on reviews using btree (ask_at) where ask_at is not null;

create table risk_entries (
  mer_no bigint not null,
  entry_id text not null,
  list text not null,
  kind text not null,
  value text not null,
  shown text not null,
  reason text not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  expires_at timestamp with time zone,
  constraint risk_entries_pkey primary key (mer_no, entry_id),
  constraint risk_entries_once unique (mer_no, list, kind, value),
  constraint risk_entries_kind_known check (kind = any (array['card'::text, 'bin'::text, 'country'::text, 'address'::text, 'email'::text, 'device'::text])),
  constraint risk_entries_list_known check (list = any (array['block'::text, 'allow'::text]))
);
create index risk_entries_by_id on risk_entries using btree (entry_id);

create table risk_hits (
  mer_no bigint not null,
  trade_no text not null,
  attempt_no smallint not null,
  source_id text not null,
  name text not null,
  action text not null,
  watched boolean not null,
  at timestamp with time zone not null,
  constraint risk_hits_pkey primary key (mer_no, trade_no, attempt_no, source_id),
  constraint risk_hits_action_known check (action = any (array['refuse'::text, 'challenge'::text, 'review'::text]))
);
create index risk_hits_by_source on risk_hits using btree (source_id, at);
create index risk_hits_by_time on risk_hits using btree (at, trade_no, source_id);

create table risk_rules (
  mer_no bigint not null,
  rule_id text not null,
  name text not null,
  action text not null,
  conditions jsonb not null,
  state text not null,
  version integer not null,
  created_at timestamp with time zone not null,
  created_by text not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  tried_at timestamp with time zone,
  tried jsonb,
  constraint risk_rules_pkey primary key (mer_no, rule_id),
  constraint risk_rules_action_known check (action = any (array['refuse'::text, 'challenge'::text, 'review'::text])),
  constraint risk_rules_state_known check (state = any (array['draft'::text, 'watching'::text, 'on'::text, 'off'::text])),
  constraint risk_rules_tried_before_on check (state <> 'on'::text or tried_at is not null)
);

create table risk_uses (
  mer_no bigint not null,
  key text not null,
  at timestamp with time zone not null,
  trade_no text not null,
  usd_value bigint not null,
  constraint risk_uses_pkey primary key (mer_no, key, at, trade_no)
);
create index risk_uses_by_time on risk_uses using brin (at) with (pages_per_range='32', autosummarize='on');

create table roles (
  mer_no bigint not null,
  role text not null,
  permissions text[] not null,
  version integer not null,
  created_at timestamp with time zone not null,
  constraint roles_pkey primary key (mer_no, role)
);

create table saved_views (
  mer_no bigint not null,
  view_id text not null,
  user_id text not null,
  list text not null,
  name text not null,
  query text not null,
  columns text not null,
  shared boolean not null,
  version integer not null,
  created_at timestamp with time zone not null,
  constraint saved_views_pkey primary key (mer_no, view_id),
  constraint saved_views_list_known check (list = 'orders'::text)
);

create table session_challenges (
  mer_no bigint not null,
  session_id text not null,
  purpose text not null,
  sealed bytea not null,
  expires_at timestamp with time zone not null,
  constraint session_challenges_pkey primary key (mer_no, session_id, purpose),
  constraint session_challenges_purpose_known check (purpose = any (array['totp'::text, 'new-passkey'::text, 'passkey'::text]))
);
create index session_challenges_by_expiry on session_challenges using btree (expires_at);

create table sessions (
  mer_no bigint not null,
  session_id text not null,
  user_id text not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  factor_at timestamp with time zone,
  address text not null,
  agent text not null,
  ended_at timestamp with time zone,
  constraint sessions_pkey primary key (mer_no, session_id),
  constraint sessions_session_id_unique unique (session_id)
);
create index sessions_by_user on sessions using btree (mer_no, user_id, created_at);

create table sign_in_rules (
  mer_no bigint not null,
  factor_required boolean not null,
  version integer not null,
  constraint sign_in_rules_pkey primary key (mer_no)
);

create table sign_in_tries (
  subject text not null,
  since timestamp with time zone not null,
  tries integer not null,
  constraint sign_in_tries_pkey primary key (subject)
);
create index sign_in_tries_by_time on sign_in_tries using btree (since);

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
  closed_at timestamp with time zone,
  note text,
  listed_by text,
  constraint statement_differences_pkey primary key (mer_no, statement_id, difference_no),
  constraint statement_differences_closed_is_dated check ((state = 'open'::text) = (closed_at is null)),
  constraint statement_differences_state_known check (state = any (array['open'::text, 'explained'::text, 'decided'::text, 'listed'::text]))
);
create index statement_differences_explained on statement_differences using btree (channel, reference) where state = 'explained'::text;
create index statement_differences_open on statement_differences using btree (channel, reference) where state = 'open'::text;
create index statement_differences_suspense on statement_differences using btree (suspense_id) where state = 'open'::text;

create table statement_lines (
  mer_no bigint not null,
  trade_no text,
  attempt_no smallint,
  day date not null,
  currency text not null,
  amount bigint not null,
  line integer not null,
  line_no text not null,
  channel text,
  reference text,
  line_id text,
  fee bigint not null default 0,
  is_day_unknown boolean not null default false,
  statement_id text,
  withdrawn_by text,
  constraint statement_lines_pkey primary key (mer_no, line_no),
  constraint statement_lines_have_owner check (trade_no is not null or mer_no = 0 and channel is not null and reference is not null),
  constraint statement_lines_not_zero check (amount <> 0),
  constraint statement_lines_order_by_attempt check ((trade_no is null) = (attempt_no is null))
);
create index statement_lines_by_attempt on statement_lines using btree (mer_no, trade_no, attempt_no) where trade_no is not null;
create index statement_lines_by_id on statement_lines using btree (channel, line_id) where line_id is not null;
create unique index statement_lines_by_no on statement_lines using btree (line_no);
create index statement_lines_by_statement on statement_lines using btree (statement_id) where withdrawn_by is null;
create index statement_lines_unmatched on statement_lines using btree (channel, reference) where trade_no is null;

create table suspense (
  mer_no bigint not null,
  suspense_id text not null,
  channel text not null,
  reference text not null,
  trade_no text,
  currency text not null,
  amount bigint not null,
  why text not null,
  state text not null,
  booked_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  attempt_no smallint,
  origin text not null,
  line_no text,
  constraint suspense_pkey primary key (mer_no, suspense_id),
  constraint suspense_above_zero check (amount > 0),
  constraint suspense_decided_is_dated check ((state = 'held'::text) = (decided_at is null)),
  constraint suspense_order_by_attempt check ((trade_no is null) = (attempt_no is null)),
  constraint suspense_origin_known check (origin = any (array['channel'::text, 'statement'::text, 'split'::text])),
  constraint suspense_state_known check (state = any (array['held'::text, 'accepted'::text, 'returned'::text, 'assigned'::text, 'withdrawn'::text])),
  constraint suspense_why_known check (why = any (array['late'::text, 'short'::text, 'surplus'::text, 'unmatched'::text]))
);
create index suspense_by_line on suspense using btree (line_no) where line_no is not null;
create index suspense_by_order on suspense using btree (mer_no, trade_no) where trade_no is not null;
create index suspense_held on suspense using btree (booked_at, suspense_id) where state = 'held'::text;
create unique index suspense_once on suspense using btree (mer_no, channel, reference) where origin <> 'statement'::text;

create table sweeps (
  name text not null,
  cluster bigint not null,
  swept_until bigint not null,
  constraint sweeps_pkey primary key (name)
);

create table unconfirmed_companies (
  email text not null,
  link_id text not null,
  company text not null,
  contact text not null,
  website text not null,
  country text not null,
  language text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint unconfirmed_companies_pkey primary key (email),
  constraint unconfirmed_companies_link_id_unique unique (link_id)
);
create index unconfirmed_companies_by_expiry on unconfirmed_companies using btree (expires_at);

create table used_tokens (
  mer_no bigint not null,
  token_id text not null,
  reference text not null,
  used_at timestamp with time zone not null,
  constraint used_tokens_pkey primary key (mer_no, token_id)
);

create table user_devices (
  mer_no bigint not null,
  user_id text not null,
  device_id text not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  constraint user_devices_pkey primary key (mer_no, user_id, device_id)
);

create table user_links (
  mer_no bigint not null,
  link_id text not null,
  user_id text not null,
  purpose text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint user_links_pkey primary key (mer_no, link_id),
  constraint user_links_link_id_unique unique (link_id),
  constraint user_links_purpose_known check (purpose = any (array['invitation'::text, 'confirmation'::text, 'reset'::text]))
);
create index user_links_by_expiry on user_links using btree (expires_at);

create table users (
  mer_no bigint not null,
  email text not null,
  role text not null,
  password_hash text,
  created_at timestamp with time zone not null,
  user_id text not null,
  name text not null,
  state text not null,
  totp_secret bytea,
  totp_step bigint,
  language text,
  signed_in_at timestamp with time zone,
  version integer not null,
  constraint users_pkey primary key (mer_no, user_id),
  constraint users_email_in_company unique (mer_no, email),
  constraint users_active_with_password check (state <> 'active'::text or password_hash is not null),
  constraint users_email_lower_case check (email = lower(email)),
  constraint users_state_known check (state = any (array['invited'::text, 'active'::text, 'disabled'::text]))
);
create unique index users_email_unique on users using btree (email) where state = 'active'::text;

create view attempts as
select mer_no,
    trade_no,
    attempt_no,
    channel,
    state,
    channel_ref,
    action,
    message,
    card_first6,
    card_last4,
    card_brand,
    card_fingerprint,
    created_at,
    decided_at,
    ask_at,
    asks,
    details,
    sealed,
    chosen
   from ( select attempt_rows.mer_no,
            attempt_rows.trade_no,
            attempt_rows.attempt_no,
            attempt_rows.channel,
            attempt_rows.state,
            attempt_rows.channel_ref,
            attempt_rows.action,
            attempt_rows.message,
            attempt_rows.card_first6,
            attempt_rows.card_last4,
            attempt_rows.card_brand,
            attempt_rows.card_fingerprint,
            attempt_rows.created_at,
            attempt_rows.decided_at,
            attempt_rows.ask_at,
            attempt_rows.asks,
            attempt_rows.details,
            attempt_rows.sealed,
            attempt_rows.chosen
           from attempt_rows
        union all
         select orders.mer_no,
            orders.trade_no,
            1::smallint as int2,
            orders.attempt_channel,
            orders.attempt_state,
            orders.attempt_ref,
            null::json as "json",
            orders.message,
            orders.card_first6,
            orders.card_last4,
            orders.card_brand,
            orders.card_fingerprint,
            orders.created_at,
            orders.decided_at,
                case
                    when orders.attempt_state = 'calling'::text then orders.attempt_ask_at
                    else null::timestamp with time zone
                end as "case",
            0,
            null::json as "json",
            null::bytea as bytea,
            null::json as "json"
           from orders) either
  where state is not null;

create view balances as
select mer_no,
    account,
    currency,
    debits::bigint as debits,
    credits::bigint as credits
   from exact_balances;

create view current_attempts as
select mer_no,
    trade_no,
    attempt_no,
    channel,
    state,
    decided_at
   from attempts;

create view current_orders as
select mer_no,
    trade_no,
    mer_order_no,
    kind,
    method,
    currency,
    amount,
    state,
    message,
    return_url,
    received,
    created_at,
    decided_at
   from orders;

create view exact_balances as
select mer_no,
    account,
    currency,
    sum(debits) as debits,
    sum(credits) as credits
   from ( select balance_sums.mer_no,
            balance_sums.account,
            balance_sums.currency,
            balance_sums.debits,
            balance_sums.credits
           from balance_sums
        union all
         select s.mer_no,
            d.account,
            d.currency,
            s.debits,
            s.credits
           from balance_deltas d,
            lateral unnest(d.mer_nos, d.debits, d.credits) s(mer_no, debits, credits)) parts
  group by mer_no, account, currency;

create view ledger_entries as
select b.mer_no,
    b.subject,
    leg.step,
    leg.debit,
    leg.credit,
    b.currency,
    leg.amount,
    b.at
   from bookings b
     cross join lateral unnest(b.steps, b.debited, b.credited, b.amounts) leg(step, debit, credit, amount);

create view order_events as
select mer_no,
    trade_no,
    version,
    from_state,
    to_state,
    why,
    at
   from ( select order_event_rows.mer_no,
            order_event_rows.trade_no,
            order_event_rows.version,
            order_event_rows.from_state,
            order_event_rows.to_state,
            order_event_rows.why,
            order_event_rows.at
           from order_event_rows
        union all
         select orders.mer_no,
            orders.trade_no,
            2,
            1::smallint as int2,
                case orders.attempt_state
                    when 'succeeded'::text then 5::smallint
                    when 'failed'::text then 6::smallint
                    else null::smallint
                end as "case",
            orders.message,
            orders.decided_at
           from orders) either
  where to_state is not null;

CREATE OR REPLACE FUNCTION public.calls_under_way(bigint)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE ROWS 10
 SET enable_seqscan TO 'off'
AS $function$
  with calls as materialized (
    select mer_no, trade_no from orders
    where kind = 'payment' and attempt_state = 'calling' and made_in::text::bigint between (
      select case when cluster = (select system_identifier from pg_control_system()) then swept_until else 0 end
      from sweeps where name = 'orders'
    ) and (
      select case when cluster = (select system_identifier from pg_control_system())
        then greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())::text::bigint
        else 9223372036854775807 end
      from sweeps where name = 'orders'))
  select trade_no from calls where mer_no = $1
$function$;

CREATE OR REPLACE FUNCTION public.notifications_not_swept()
 RETURNS SETOF notifications
 LANGUAGE sql
 STABLE ROWS 10
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'on'
AS $function$
  select * from notifications
  where due_at is null and leased_until is not null and stored_in between (
    select case when cluster = (select system_identifier from pg_control_system()) then swept_until else 0 end
    from sweeps where name = 'notifications'
  ) and (
    select case when cluster = (select system_identifier from pg_control_system())
      then greatest(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())::text::bigint
        else 9223372036854775807 end
    from sweeps where name = 'notifications')
$function$;

CREATE OR REPLACE FUNCTION public.precondition_failed()
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'something is not as it was taken to be' using errcode = 'TG001';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append only', tg_table_name;
end $function$;

create trigger audit_log_append_only before delete or update or truncate on audit_log for each statement execute function refuse_change();

create trigger bookings_append_only before delete or update or truncate on bookings for each statement execute function refuse_change();
