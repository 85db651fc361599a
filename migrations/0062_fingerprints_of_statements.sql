-- A statement keeps the number of its import, a fingerprint of its lines, and one of what its import found, so that the audit
-- notices a statement, a line or a difference that was lost or changed. src/money/reconciliation/fingerprints.ts has the
-- same expressions. The table statement_lines is read once, but not rewritten.
alter table channel_statements
  add column import_no integer,
  add column lines_fingerprint bigint not null default 0,
  add column fingerprint bigint not null default 0;

update channel_statements s set import_no = g.import_no
from (
  select mer_no, statement_id, row_number() over (order by imported_at, statement_id) as import_no from channel_statements
) g
where (s.mer_no, s.statement_id) = (g.mer_no, g.statement_id);

alter table channel_statements alter column import_no set not null;
create unique index channel_statements_by_import on channel_statements (import_no);

update channel_statements s set lines_fingerprint = g.fingerprint
from (
  select statement_id, bit_xor(('x' || left(md5(jsonb_build_array(line_no, mer_no, trade_no, attempt_no, day, currency,
    amount, fee, line, channel, reference, line_id, is_day_unknown, statement_id, withdrawn_by)::text), 16))::bit(64)::bigint)
    as fingerprint
  from statement_lines group by statement_id
) g
where s.statement_id = g.statement_id;

update channel_statements s set fingerprint = ('x' || left(md5(jsonb_build_array(mer_no, statement_id, import_no, channel,
    file_name, first_day, last_day, lines, matched, different, booked, fees, imported_by, extract(epoch from imported_at),
    withdrawn, is_fetched)::text), 16))::bit(64)::bigint
  # coalesce((
    select bit_xor(('x' || left(md5(jsonb_build_array(difference_no, channel, kind, type, reference, line, trade_no,
      suspense_id, their_amount, their_currency, our_amount, our_currency, listed_by)::text), 16))::bit(64)::bigint)
    from statement_differences d where d.mer_no = s.mer_no and d.statement_id = s.statement_id), 0);
