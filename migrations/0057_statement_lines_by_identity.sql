-- Every payment on a channel's statement is stored as a line, also one without an order of ours, so that each line is booked
-- once and a corrected statement can take back what an earlier one said. src/money/reconciliation/statement-line.ts defines what
-- identifies a line. The table has one row per listed payment and is rewritten once, for its new key.

alter table statement_lines
  drop constraint statement_lines_pkey,
  drop constraint statement_lines_above_zero,
  alter column trade_no drop not null,
  alter column attempt_no drop not null,
  add column line_no text,
  -- The channel that has the money, and the reference on the statement. Null in lines of earlier versions with an attempt.
  add column channel text,
  add column reference text,
  -- The channel's own id of the movement.
  add column line_id text,
  add column fee bigint not null default 0,
  -- True: the line was booked by an earlier version that did not store its day; `day` is the latest that is possible.
  add column is_day_unknown boolean not null default false,
  -- The statement that said this. Null in lines of earlier versions: a corrected statement leaves them alone.
  add column statement_id text,
  -- The corrected statement that no longer says it. Null: the line stands.
  add column withdrawn_by text,
  add constraint statement_lines_not_zero check (amount <> 0),
  add constraint statement_lines_order_by_attempt check ((trade_no is null) = (attempt_no is null)),
  add constraint statement_lines_have_owner
    check (trade_no is not null or (mer_no = 0 and channel is not null and reference is not null));

update statement_lines set line_no = 'O' || upper(substr(
  md5(concat_ws(' ', mer_no, trade_no, attempt_no, day, currency, amount, occurrence)), 1, 26));
alter table statement_lines
  drop column occurrence,
  add constraint statement_lines_pkey primary key (mer_no, line_no);

-- Money of no known order that earlier versions booked: its reference may end with the number of its occurrence.
alter table suspense
  -- The line of a statement that brought money of no known order, also after the money was assigned to one.
  add column line_no text,
  drop constraint suspense_once,
  drop constraint suspense_state_known,
  -- withdrawn: a corrected statement or a reversal took the money back before anybody decided on it.
  add constraint suspense_state_known check (state in ('held', 'accepted', 'returned', 'assigned', 'withdrawn'));
-- A channel's report is booked once by its reference. Lines of statements may repeat theirs: each line is booked once.
create unique index suspense_once on suspense (mer_no, channel, reference) where origin <> 'statement';

update suspense set line_no = 'O' || substr(suspense_id, 2)
where mer_no = 0 and trade_no is null and origin = 'statement';

insert into statement_lines (mer_no, line_no, channel, reference, day, is_day_unknown, currency, amount, line)
select 0, s.line_no, s.channel, coalesce(first.reference, s.reference), s.booked_at::date, true, s.currency, s.amount, 0
from suspense s left join suspense first on first.mer_no = 0 and first.channel = s.channel
  and first.line_no is not null and first.suspense_id <> s.suspense_id
  and first.reference = regexp_replace(s.reference, '#\d+$', '')
where s.line_no is not null;

update suspense s set line_no = of.line_no
from suspense of where of.line_no is not null and of.state = 'assigned' and s.reference = 'assigned:' || of.suspense_id;

create index suspense_by_line on suspense (line_no) where line_no is not null;
create unique index statement_lines_by_no on statement_lines (line_no);
create index statement_lines_by_attempt on statement_lines (mer_no, trade_no, attempt_no) where trade_no is not null;
create index statement_lines_unmatched on statement_lines (channel, reference) where trade_no is null;
create index statement_lines_by_statement on statement_lines (statement_id) where withdrawn_by is null;
create index statement_lines_by_id on statement_lines (channel, line_id) where line_id is not null;
create index channel_statements_by_days on channel_statements (channel, first_day, last_day);

alter table channel_statements
  -- Rows that left suspense because of the statement.
  add column withdrawn integer not null default 0;
