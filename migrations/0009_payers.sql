-- Payers: orders paid on our pages, several attempts, money that comes by transfer, routing, review, and how a merchant's
-- pages look.

alter table orders
  -- Tries that the payer has: one by /payment, more on our pages.
  add column max_attempts smallint not null default 1,
  -- Its money waits for an operator's word before it counts as paid.
  add column needs_review boolean not null default false;
-- Not by state: that would make every payment's change of state an update of indexes.
create index orders_to_review on orders (mer_no, trade_no) where needs_review;

alter table attempts
  -- What the payer entered on our page; personal numbers are sealed.
  add column details json,
  add column sealed  bytea;

-- Orders that wait on our pages. A to-do list: a row leaves it when its order is found decided.
create table hosted_orders (
  mer_no     bigint not null,
  trade_no   text not null,
  -- Chosen by the merchant; null: the payer chooses.
  method     text,
  -- When nobody is paying by then, the order is over.
  expires_at timestamptz not null,
  primary key (mer_no, trade_no)
);
create index hosted_orders_by_expiry on hosted_orders (expires_at);

-- Money that payers sent by themselves for an attempt, each arrival once.
create table deposits (
  mer_no        bigint not null,
  trade_no      text not null,
  deposit_ref   text not null,
  attempt_no    smallint not null,
  currency      text not null,
  amount        bigint not null,
  -- waiting: for the rest of the amount. taken: paid the order. suspense: booked there.
  state         text not null,
  payer_name    text,
  payer_account text,
  tx_hash       text,
  gas_cost      text,
  came_at       timestamptz not null,
  primary key (mer_no, trade_no, deposit_ref),
  constraint deposits_above_zero check (amount > 0),
  constraint deposits_state_known check (state in ('waiting', 'taken', 'suspense'))
);

-- Tokens of Apple Pay and Google Pay that were used: each pays once.
create table used_tokens (
  mer_no    bigint not null,
  token_id  text not null,
  -- The attempt it was used for: the same attempt may come with it again.
  reference text not null,
  used_at   timestamptz not null,
  primary key (mer_no, token_id)
);

-- Which channels serve a merchant's method. Without a row, all that are set up, alike.
create table merchant_channels (
  mer_no   bigint not null references merchants,
  method   text not null,
  channel  text not null,
  -- The lowest first; among equals the weight decides.
  priority smallint not null,
  weight   smallint not null,
  primary key (mer_no, method, channel),
  constraint merchant_channels_in_bounds check (priority between 1 and 100 and weight between 1 and 1000)
);

alter table merchants
  -- #rrggbb; null: ours.
  add column accent       text,
  -- PNG or JPEG, told by its content.
  add column logo         bytea,
  -- Above this, in the method's own minor unit, a payment is reviewed; null: as the method says.
  add column review_above bigint,
  add constraint merchants_accent_is_colour check (accent ~ '^#[0-9a-f]{6}$'),
  add constraint merchants_logo_fits check (octet_length(logo) <= 65536);

create table reviews (
  mer_no       bigint not null,
  trade_no     text not null,
  state        text not null,
  -- Why it is reviewed, and the operator's last word.
  note         text not null default '',
  -- What the merchant told about payer and business; encrypted.
  sealed       bytea,
  asked_at     timestamptz,
  submitted_at timestamptz,
  decided_at   timestamptz,
  -- When the money of a rejected one is sent back, or asked about, next.
  ask_at       timestamptz,
  asks         integer not null default 0,
  -- How often the money was to be sent back: each time has a reference of its own.
  returns      smallint not null default 0,
  primary key (mer_no, trade_no),
  constraint reviews_state_known check (
    state in ('picked', 'asked', 'submitted', 'approved', 'returning', 'rejected')),
  constraint reviews_returning_is_asked check ((state = 'returning') = (ask_at is not null))
);
create index reviews_to_return on reviews (ask_at) where ask_at is not null;

-- What merchants uploaded for reviews. Kept sealed, handed out as a download only.
create table review_files (
  mer_no      bigint not null,
  file_id     text not null,
  -- Null until it is submitted with an order's review.
  trade_no    text,
  -- What it proves, by the table of file types; null until then.
  proves      text,
  suffix      text not null,
  bytes       integer not null,
  sha256      text not null,
  sealed      bytea not null,
  uploaded_at timestamptz not null,
  primary key (mer_no, file_id),
  constraint review_files_suffix_known check (suffix in ('.pdf', '.png', '.jpg')),
  constraint review_files_submitted_whole check ((trade_no is null) = (proves is null))
);
create index review_files_of_order on review_files (mer_no, trade_no) where trade_no is not null;
create index review_files_loose on review_files (uploaded_at) where trade_no is null;
