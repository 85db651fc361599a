// Checks the statements of channels against their stored differences, and the lines of statements against the ledger.
import { referenceText } from '../../orders/order.ts'
import { importFingerprint, linesFingerprint } from '../../reconciliation/fingerprints.ts'
import { type Check, CLOCK_TOLERANCE, inSlice, ownerIn } from '../check.ts'

const slice = inSlice('mer_no', 'trade_no')

/** The maximum number of stored differences of the kind `not repeated`, and separately of all other kinds together. */
const MOST_KEPT = 1_000

export const statementChecks: readonly Check[] = [
  {
    name: 'statement-counts',
    rule: 'A line of a statement was matched or has a difference, and every difference of a statement is stored',
    text: `
      select s.mer_no, s.statement_id as subject,
        format('%s lines, %s matched, %s different', s.lines, s.matched, s.different) as found,
        format('%s differences, %s of them with a line', d.stored, d.lined) as expected
      from channel_statements s cross join lateral (
        select count(*) as stored, count(line) as lined, coalesce(max(line), 0) as last,
          count(*) filter (where d.channel <> s.channel) as foreigners, coalesce(max(difference_no), 0) as last_no
        from statement_differences d where d.mer_no = s.mer_no and d.statement_id = s.statement_id
      ) d
      where ${inSlice('s.mer_no', 's.statement_id')} and (
        d.stored > s.different or d.foreigners > 0 or d.last_no <> d.stored
        or s.different <= ${MOST_KEPT} and (d.stored <> s.different or s.matched + d.lined <> s.lines)
        or s.matched + s.different < s.lines or s.matched > s.lines
        or s.is_fetched and s.first_day is distinct from s.last_day or s.first_day > s.last_day
        or (s.first_day is null) <> (s.last_day is null) or s.first_day is null and s.lines > 0)`,
  },
  {
    name: 'statement-difference',
    rule: 'A difference belongs to a statement, names an order and money that exist, and was closed as its state says',
    text: `
      select d.mer_no, d.statement_id as subject,
        format('difference %s: %s %s %s of %s, suspense %s, theirs %s %s, ours %s %s, %s by %s', d.difference_no, d.kind,
          d.type, d.reference, d.trade_no, d.suspense_id, d.their_amount, d.their_currency, d.our_amount, d.our_currency,
          d.state, d.closed_by) as found,
        format('of %s, suspense of %s, ours %s', coalesce(s.channel, 'no statement'), coalesce(w.reference, 'nothing'),
          m.money) as expected
      from statement_differences d
      left join channel_statements s on s.mer_no = d.mer_no and s.statement_id = d.statement_id
        and ${inSlice('s.mer_no', 's.statement_id')}
      left join lateral (
        select reference, trade_no, currency, state from suspense w
        where w.mer_no = ${ownerIn('d.suspense_id')} and w.suspense_id = d.suspense_id limit 1
      ) w on true
      left join lateral (
        select trade_no, amount || ' ' || currency as money, coalesce(received, amount) || ' ' || currency as received
        from orders o where o.mer_no = ${ownerIn('d.trade_no')} and o.trade_no = d.trade_no limit 1
      ) o on true
      left join lateral (
        select case d.type when 'payout' then o.money
          when 'refund' then coalesce((
            select r.amount || ' ' || r.currency from refunds r
            where r.mer_no = ${ownerIn('d.trade_no')} and r.refund_no = 'R' || substr(d.reference, 2)), o.money)
          when 'payment' then case d.kind when 'missing there' then o.received end end as money
      ) m on true
      where ${inSlice('d.mer_no', 'd.statement_id')} and (s.channel is null
        or d.trade_no is not null and o.trade_no is null
        or d.trade_no is not null and d.type = 'payment' and d.trade_no <> 'T' || substr(d.reference, 2, 26)
        or d.suspense_id is not null and w.state is null
        or d.suspense_id is not null and d.trade_no is distinct from w.trade_no
        or d.suspense_id is not null and d.trade_no is null
          and (w.reference, w.currency) <> (d.reference, d.their_currency)
        or d.state = 'decided' and w.state in ('held', 'withdrawn')
        or (d.their_amount is null) <> (d.their_currency is null) or (d.our_amount is null) <> (d.our_currency is null)
        or m.money <> d.our_amount || ' ' || d.our_currency
        or (d.kind = 'not repeated') <> (d.listed_by is not null)
        or (d.kind in ('missing there', 'withdrawn', 'not repeated')) <> (d.line is null)
        or (d.line is null) <> (d.their_amount is null)
        or (d.note is not null) <> (d.state = 'explained')
        or (d.closed_by is not null) <> (d.state <> 'open')
        or d.state = 'listed' and not exists (
          select from channel_statements later
          where later.mer_no = 0 and later.statement_id = d.closed_by and later.imported_at = d.closed_at offset 0))`,
  },
  {
    // Attempts that were open at the import are not checked: the channel's outcome books their money, not the line.
    name: 'listed-payments',
    rule: 'The money that statements list for a decided payment is booked; a payment of another amount has a difference',
    text: `
      with lines as (
        select l.mer_no, l.trade_no, l.attempt_no, l.currency, sum(l.amount) as listed, sum(l.fee) as fees,
          min(l.amount) as least, max(s.imported_at) as imported_at, max(s.different) as different
        from statement_lines l left join lateral (
          select imported_at, different from channel_statements s
          where s.mer_no = 0 and s.statement_id = l.statement_id limit 1
        ) s on true
        where ${inSlice('l.mer_no', 'l.trade_no')} and l.trade_no is not null and l.withdrawn_by is null
        group by l.mer_no, l.trade_no, l.attempt_no, l.currency
      ), held as (
        select mer_no, trade_no, attempt_no, currency, sum(amount) as held
        from suspense
        where ${slice} and trade_no is not null and origin <> 'split' and state <> 'withdrawn' and line_no is null
          and not (origin = 'statement' and starts_with(reference, 'assigned:'))
        group by mer_no, trade_no, attempt_no, currency
      ), arrived as (
        select mer_no, trade_no, attempt_no from deposits where ${slice}
        union select mer_no, trade_no, attempt_no from suspense where ${slice} and trade_no is not null
      )
      select mer_no, trade_no as subject, format('%s %s booked for attempt %s', paid + held, currency, attempt_no) as found,
        format('%s listed, fees %s', listed, fees) as expected
      from (
        select l.*, coalesce(h.held, 0) as held, a.state as attempt_state, o.currency = l.currency as is_own,
          case when a.state = 'succeeded' and o.currency = l.currency and not p.was_accepted
            then least(coalesce(o.received, o.amount), o.amount) else 0 end as paid,
          exists (
            select from arrived i
            where i.mer_no = l.mer_no and i.trade_no = l.trade_no and i.attempt_no = l.attempt_no) as is_sent
        from lines l
        join attempts a on a.mer_no = l.mer_no and a.trade_no = l.trade_no and a.attempt_no = l.attempt_no
          and ${inSlice('a.mer_no', 'a.trade_no')}
        join slice_orders o on o.mer_no = l.mer_no and o.trade_no = l.trade_no
        left join paid_attempts p on p.mer_no = l.mer_no and p.trade_no = l.trade_no
        left join held h on h.mer_no = l.mer_no and h.trade_no = l.trade_no and h.attempt_no = l.attempt_no
          and h.currency = l.currency
        where a.state in ('succeeded', 'failed') and a.decided_at < l.imported_at - ${CLOCK_TOLERANCE}
      ) sums
      where case
        when listed > paid + held then is_own or attempt_state = 'failed'
        when attempt_state = 'succeeded' and is_own and not is_sent and least > 0 and listed <> paid
          and listed + fees <> paid and different <= ${MOST_KEPT}
          then not exists (
            select from statement_differences d
            where d.mer_no = 0 and d.type = 'payment' and d.reference = ${referenceText('sums')} offset 0)
        else false end`,
  },
  {
    name: 'statement-import',
    rule: 'A statement and its differences are what its import found',
    text: `
      select s.mer_no, s.statement_id as subject,
        format('%s lines, %s matched, %s different, %s booked, %s withdrawn, fees %s: %s', s.lines, s.matched, s.different,
          s.booked, s.withdrawn, s.fees, ${importFingerprint}) as found,
        'the fingerprint ' || s.fingerprint as expected
      from channel_statements s
      where ${inSlice('s.mer_no', 's.statement_id')} and s.fingerprint <> ${importFingerprint}`,
  },
  {
    name: 'statement-lines',
    rule: 'The lines of a statement are those that imports stored',
    over: 'platform',
    text: `
      select s.mer_no, s.statement_id as subject,
        format('%s lines, %s withdrawn: %s', coalesce(l.lines, 0), coalesce(l.withdrawn, 0), coalesce(l.fingerprint, 0))
          as found,
        'the fingerprint ' || s.lines_fingerprint as expected
      from channel_statements s left join (
        select l.statement_id, count(*) as lines, count(l.withdrawn_by) as withdrawn, ${linesFingerprint} as fingerprint
        from statement_lines l group by l.statement_id
      ) l using (statement_id)
      where s.lines_fingerprint <> coalesce(l.fingerprint, 0)`,
  },
  {
    name: 'statement-numbers',
    rule: 'Imports are numbered without a gap, so that no statement is lost',
    over: 'platform',
    text: `
      with gaps as (
        select import_no, import_no - 1 - before as missing
        from (select import_no, lag(import_no, 1, 0) over (order by import_no) as before from channel_statements) numbered
        where import_no - 1 <> before
      )
      select 0::bigint as mer_no, concat_ws(' ', 'import', import_no - missing, lost.named) as subject,
        missing || ' lost' as found, 'no gap' as expected
      from gaps cross join (
        select string_agg(distinct l.statement_id, ' ') as named
        from statement_lines l left join channel_statements s using (statement_id)
        where s.statement_id is null and l.statement_id is not null and exists (select from gaps)
      ) lost`,
  },
  {
    name: 'statement-line',
    rule: 'A line of a statement belongs to an attempt or to no order, and is dated within its statement',
    text: `
      select l.mer_no, coalesce(l.trade_no, l.reference) as subject,
        format('line %s on %s of %s, attempt %s at %s', l.line_no, l.day, s.statement_id, l.attempt_no, a.channel) as found,
        format('%s to %s', s.first_day, s.last_day) as expected
      from (
        select * from statement_lines where ${slice} and trade_no is not null
        union all
        select * from statement_lines where ${inSlice('mer_no', 'line_no')} and trade_no is null
      ) l left join lateral (
        select statement_id, first_day, last_day, channel from channel_statements s
        where s.mer_no = 0 and s.statement_id = l.statement_id limit 1
      ) s on true left join lateral (
        select channel from attempts a
        where a.mer_no = l.mer_no and a.trade_no = l.trade_no and a.attempt_no = l.attempt_no limit 1
      ) a on true
      where l.trade_no is not null and coalesce(a.channel <> l.channel, true) and l.channel is not null
        or l.trade_no is null and l.channel <> s.channel
        or not l.is_day_unknown and l.line_id is null and l.day not between s.first_day and s.last_day
        or l.fee < 0`,
  },
  {
    name: 'suspense-line',
    rule: 'Money in suspense that a line of a statement brought belongs to that line',
    text: `
      select w.mer_no, w.suspense_id as subject, format('%s %s, %s', w.reference, w.currency, w.line_no) as found,
        coalesce(format('%s %s', l.reference, l.currency), 'no such line') as expected
      from suspense w left join lateral (
        select channel, reference, currency from statement_lines l where l.line_no = w.line_no limit 1
      ) l on true
      where ${inSlice('w.mer_no', 'w.suspense_id')} and w.line_no is not null and (l.currency is null
        or w.mer_no = 0 and w.state = 'held' and (w.channel, w.reference, w.currency)
          is distinct from (l.channel, l.reference, l.currency))`,
  },
]
