// Checks the money in suspense against the ledger entries, attempts, statement lines and other rows that belong to it.
import { SUSPENSE } from '../../ledger/account.ts'
import { STATED } from '../../payments/deposits/deposit.ts'
import { type Check, CLOCK_TOLERANCE, inSlice, ownerIn } from '../check.ts'

const slice = inSlice('mer_no', 'coalesce(trade_no, suspense_id)')

export const suspenseChecks: readonly Check[] = [
  {
    name: 'suspense-held',
    rule: 'The money of an order in suspense is the sum of its rows that are held',
    text: `
      select mer_no, subject, format('%s held in %s', coalesce(h.held, 0), currency) as found,
        format('%s by the entries', coalesce(e.held, 0)) as expected
      from (
        select mer_no, coalesce(trade_no, suspense_id) as subject, currency, sum(amount) as held
        from suspense where ${slice} and state = 'held' group by 1, 2, 3
      ) h full join (
        select mer_no, subject, currency,
          sum(case '${SUSPENSE}' when credit then amount when debit then -amount else 0 end) as held
        from slice_entries where '${SUSPENSE}' in (debit, credit) group by mer_no, subject, currency
      ) e using (mer_no, subject, currency)
      where coalesce(h.held, 0) <> coalesce(e.held, 0)`,
  },
  {
    name: 'suspense-links',
    rule: 'Money in suspense names its merchant; for an order it belongs to one of its attempts, and is accepted only for a paid order; money of a line names the line',
    text: `
      select s.mer_no, concat_ws(' ', coalesce(s.trade_no, s.suspense_id), source.suspense_id) as subject,
        format('%s %s, attempt %s, line %s', s.suspense_id, s.state, s.attempt_no, s.line_no) as found,
        'an attempt of the order, and a line of a statement' as expected
      from (select * from suspense where ${slice}) s
      left join (
        select mer_no, trade_no, attempt_no from attempts where ${inSlice('mer_no', 'trade_no')}
      ) a using (mer_no, trade_no, attempt_no)
      left join slice_orders o using (mer_no, trade_no)
      left join suspense whole on whole.mer_no = s.mer_no and s.origin = 'split'
        and s.reference in ('surplus of ' || whole.suspense_id, 'surplus of ' || whole.reference)
      left join suspense moved on s.state = 'assigned' and moved.reference = 'assigned:' || s.suspense_id
      left join suspense source on starts_with(s.reference, 'assigned:')
        and s.reference = 'assigned:' || source.suspense_id
      where (s.attempt_no is not null and a.attempt_no is null) or (s.line_no is not null
          and (select l.line_no from statement_lines l where l.line_no = s.line_no) is null)
        or (s.state = 'accepted' and o.is_paid is not true) or (s.line_no is null and s.trade_no is null
          and (s.state = 'withdrawn' or (s.state = 'assigned' and s.origin <> 'channel')))
        or (s.line_no is not null and s.origin <> 'statement') or s.decided_at < s.booked_at - ${CLOCK_TOLERANCE}
        or (s.state = 'accepted' and abs(extract(epoch from s.decided_at - o.decided_at)) > 600)
        or (s.origin = 'split' and (whole.channel, whole.trade_no, whole.state)
          is distinct from (s.channel, s.trade_no, 'accepted'))
        or (s.origin = 'split' and abs(extract(epoch from s.booked_at - whole.decided_at)) > 600)
        or (s.state = 'assigned' and moved.amount is distinct from s.amount)
        or (s.origin = 'statement' and starts_with(s.reference, 'assigned:')
          and (source.state is distinct from 'assigned' or source.line_no is distinct from s.line_no))
        or (s.line_no is not null and s.trade_no is not null and not starts_with(s.reference, 'assigned:'))
        or ${ownerIn('s.suspense_id')} <> s.mer_no`,
  },
  {
    name: 'suspense-deposit',
    rule: 'Money in suspense of an order with deposits names its deposit, and has come from the channel that reported it',
    text: `
      select s.mer_no, s.trade_no as subject, format('%s from the %s: %s', s.suspense_id, s.origin, s.reference) as found,
        coalesce('the deposit ' || named.deposit_ref, 'no such deposit') as expected
      from (
        select * from suspense
        where ${slice} and trade_no is not null and origin <> 'split' and line_no is null
          -- A deposit that an operator stated is deleted when its channel reports the money.
          and reference !~ '^(surplus of )?${STATED}'
      ) s join (
        select distinct mer_no, trade_no from deposits where ${inSlice('mer_no', 'trade_no')}
      ) paid using (mer_no, trade_no)
      left join (
        select distinct mer_no, trade_no, deposit_ref from deposits where ${inSlice('mer_no', 'trade_no')}
      ) named on named.mer_no = s.mer_no and named.trade_no = s.trade_no
        and named.deposit_ref = regexp_replace(s.reference, '^surplus of ', '')
      where case s.origin when 'channel' then named.deposit_ref is null
        -- The rest of a row that was withdrawn in part is booked again under its reference.
        else named.deposit_ref is not null and not exists (
          select from suspense w
          where w.mer_no = s.mer_no and w.channel = s.channel and w.reference = s.reference and w.state = 'withdrawn')
      end`,
  },
]
