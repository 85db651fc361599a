-- Links that a merchant's people make: whoever opens one pays an order that is made for it.
create table payment_links (
  mer_no bigint not null,
  link_id text not null,
  title text not null,
  currency text not null,
  -- Null: the payer enters it, within the bounds.
  amount bigint,
  least bigint,
  most bigint,
  -- Null: the payer chooses.
  method text,
  uses text not null,
  expires_at timestamptz,
  -- '': the language of the payer's browser.
  language text not null,
  reference text not null,
  -- '': no notifications.
  notify_url text not null,
  state text not null,
  -- The latest order of a link for one use; no other is made unless it ends unpaid.
  claimed_by text,
  created_by text not null,
  created_at timestamptz not null,
  constraint payment_links_pkey primary key (mer_no, link_id),
  constraint payment_links_uses_known check (uses in ('one', 'many')),
  constraint payment_links_state_known check (state in ('active', 'off')),
  constraint payment_links_amount_positive check (amount > 0),
  constraint payment_links_bounds_for_open_amount check (amount is null or (least is null and most is null)),
  constraint payment_links_bounds_in_order check (least > 0 and most > 0 and least <= most),
  constraint payment_links_claim_for_one_use check (claimed_by is null or uses = 'one')
);

create table payment_link_orders (
  mer_no bigint not null,
  link_id text not null,
  trade_no text not null,
  created_at timestamptz not null,
  constraint payment_link_orders_pkey primary key (mer_no, link_id, trade_no)
);
