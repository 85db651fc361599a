-- Money that arrives is known by the attempt it was sent to, whoever reports it first: the channel or its statement.

alter table suspense
  add column attempt_no smallint,
  -- channel: reported by the channel itself. statement: found on its statement. split: cut off another row when that was
  -- accepted; it brought no money of its own.
  add column origin text;

update suspense s set origin = case
  when exists (
    select from suspense whole
    where whole.mer_no = s.mer_no and s.reference = 'surplus of ' || whole.suspense_id) then 'split'
  when s.trade_no is null
    or starts_with(s.reference, 'A' || substr(s.trade_no, 2))
    or starts_with(s.reference, 'surplus of A' || substr(s.trade_no, 2)) then 'statement'
  else 'channel' end;

-- The reference tells the attempt: on a statement by itself, of a deposit by its row.
update suspense s set attempt_no = a.attempt_no
from attempts a
where a.mer_no = s.mer_no and a.trade_no = s.trade_no and s.origin = 'statement'
  and regexp_replace(s.reference, '^surplus of |#\d+$', '', 'g') = 'A' || substr(a.trade_no, 2) || a.attempt_no;

update suspense s set attempt_no = d.attempt_no
from deposits d
where d.mer_no = s.mer_no and d.trade_no = s.trade_no and s.attempt_no is null
  and s.reference in (d.deposit_ref, 'surplus of ' || d.deposit_ref);

-- A success that was reported late is known by the channel's reference of its attempt.
update suspense s set attempt_no = a.attempt_no
from attempts a
where a.mer_no = s.mer_no and a.trade_no = s.trade_no and s.attempt_no is null
  and a.channel = s.channel and a.channel_ref = s.reference;

update suspense s set attempt_no = whole.attempt_no
from suspense whole
where whole.mer_no = s.mer_no and s.origin = 'split' and s.attempt_no is null
  and s.reference = 'surplus of ' || whole.suspense_id;

-- Where nothing tells, the latest attempt at the channel that has the money.
update suspense s set attempt_no = (
  select a.attempt_no from attempts a
  where a.mer_no = s.mer_no and a.trade_no = s.trade_no
  order by a.channel = s.channel desc, a.attempt_no desc limit 1)
where s.trade_no is not null and s.attempt_no is null;

alter table suspense
  alter column origin set not null,
  add constraint suspense_origin_known check (origin in ('channel', 'statement', 'split')),
  add constraint suspense_order_by_attempt check ((trade_no is null) = (attempt_no is null));

-- What statements listed for our attempts, each line once however often and in whichever file it comes.
create table statement_lines (
  mer_no     bigint not null,
  trade_no   text not null,
  attempt_no smallint not null,
  day        date not null,
  currency   text not null,
  amount     bigint not null,
  -- Tells equal lines of one file apart.
  occurrence integer not null,
  -- Where it stood in the file that it first came in.
  line       integer not null,
  primary key (mer_no, trade_no, attempt_no, day, currency, amount, occurrence),
  constraint statement_lines_above_zero check (amount > 0)
);

-- What a channel's deposit was first reported for: no other order has a claim to the same money. It belongs to the channel,
-- like a dispute, since two merchants may be told of it.
create table deposit_owners (
  channel     text not null,
  deposit_ref text not null,
  -- Our reference of the attempt.
  reference   text not null,
  primary key (channel, deposit_ref)
);
insert into deposit_owners (channel, deposit_ref, reference)
select a.channel, d.deposit_ref, 'A' || substr(d.trade_no, 2) || d.attempt_no
from deposits d join attempts a using (mer_no, trade_no, attempt_no)
order by d.came_at, d.mer_no, d.trade_no
on conflict do nothing;

alter table attempts
  -- The payer's choice on our page, where each attempt may be by another method: its method and terms. Null elsewhere.
  add column chosen json;
