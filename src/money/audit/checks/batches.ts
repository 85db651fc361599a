// Checks bulk refunds and payout runs against the refunds and payouts that were made, and against the audit log.
import { decimalsByCurrency } from '../../../platform/base/currency.ts'
import { type Check, inSlice } from '../check.ts'

/** True if the state of a bulk refund allows the row's state. `allowedLines` does the same for payout runs. */
const allowedRows = `case b.state when 'done' then r.state <> 'ready' when 'running' then true
  else r.state in ('ready', 'refused') end`
const allowedLines = `case r.state when 'waiting' then l.state in ('waiting', 'rejected')
  when 'rejected' then l.state = 'rejected' else l.state <> 'rejected' end`

/** Returns the SQL for a value of the newest line of the audit log about a subject and action. */
const fromLog = (merNo: string, subject: string, action: string, value: string) => `(
  select ${value} from audit_log l
  where l.mer_no = ${merNo} and l.subject = ${subject} and l.action = '${action}' order by entry_id desc limit 1)`

const decimals = `'${JSON.stringify(decimalsByCurrency())}'::json`
/**
 * Returns a condition that is true if the sums of these rows by currency differ from the sums in `total`, a text of the
 * audit log such as `12.50 USD, 8.00 EUR`. The condition is false if the audit log has no such text.
 */
const differsFrom = (total: string, rows: string) => `(${total} is not null and exists (
  select from (
    select part[2] as currency,
      part[1]::numeric * power(10::numeric, (${decimals} ->> part[2])::int) as amount
    from regexp_matches(${total}, '([0-9.]+) ([A-Z0-9]+)', 'g') part
  ) logged full join (
    select currency, sum(amount) as amount from ${rows} group by currency
  ) stored using (currency)
  where logged.amount is distinct from stored.amount offset 0))`

export const batchChecks: readonly Check[] = [
  {
    name: 'bulk-refund-rows',
    rule: 'A row of a bulk refund names an order; if it was accepted, it has its own refund, of that order and amount',
    text: `
      select r.mer_no, r.bulk_id as subject,
        format('row %s: %s of %s, %s %s, refund %s', r.row_no, r.state, r.trade_no, r.amount, r.currency, r.refund_no)
          as found,
        coalesce(format('refund %s of %s, %s %s', f.refund_no, f.trade_no, f.amount, f.currency),
          'no refund, bulk ' || coalesce(b.state, 'missing')) as expected
      from bulk_refund_rows r
      left join bulk_refunds b on b.mer_no = r.mer_no and b.bulk_id = r.bulk_id and ${inSlice('b.mer_no', 'b.bulk_id')}
      left join lateral (
        select refund_no, trade_no, amount, currency, mer_refund_no from refunds f
        where f.mer_no = r.mer_no and f.mer_refund_no = r.bulk_id || '-' || r.row_no limit 1
      ) f on true
      left join lateral (
        select mer_order_no, currency from orders o where o.mer_no = r.mer_no and o.trade_no = r.trade_no limit 1
      ) o on true
      where ${inSlice('r.mer_no', 'r.bulk_id')} and (b.state is null
        or r.trade_no is null and r.state <> 'refused' or position(r.trade_no in r.number) = 0 and position(r.mer_order_no in r.number) = 0
        or (r.message <> '') <> (r.state in ('refused', 'failed'))
        or r.trade_no is not null and (o.mer_order_no, o.currency) is distinct from (r.mer_order_no, r.currency)
        or r.state = 'accepted' and (f.refund_no, f.trade_no, f.amount, f.currency)
          is distinct from (r.refund_no, r.trade_no, r.amount, r.currency)
        or f.refund_no is not null and r.state <> 'accepted' and not (r.state = 'ready' and b.state = 'running')
        or not ${allowedRows})`,
  },
  {
    name: 'bulk-refund-end',
    rule: 'A bulk refund that was started or has ended has the time of it, and the audit log has who did it and the counts of its rows',
    text: `
      select b.mer_no, b.bulk_id as subject,
        format('%s, by %s at %s, started %s, ended %s, %s, version %s', b.state, b.email, b.created_at, b.started_at,
          b.finished_at, c.counts, b.version) as found,
        concat_ws(', ', b.checked, b.total, b.email, b.reason, b.logged) as expected
      from (
        select b.*, ${fromLog('b.mer_no', 'b.bulk_id', 'bulk-refund.start', 'l.at')} as logged_start,
          ${fromLog('b.mer_no', 'b.bulk_id', 'bulk-refund.check', "concat_ws(' ', l.actor, l.address, l.at)")} as checked,
          ${fromLog('b.mer_no', 'b.bulk_id', 'bulk-refund.check', "l.after ->> 'total'")} as total,
          case b.state
            when 'done' then ${fromLog('b.mer_no', 'b.bulk_id', 'bulk-refund.done', "concat_ws(' ', l.after ->> 'accepted', l.after ->> 'refused', l.after ->> 'failed', l.actor, l.reason, l.at)")}
            when 'cancelled' then ${fromLog('b.mer_no', 'b.bulk_id', 'bulk-refund.cancel', "concat_ws(' ', l.reason, l.at)")}
          end as logged
        from bulk_refunds b where ${inSlice('b.mer_no', 'b.bulk_id')}
      ) b left join lateral (
        select concat_ws(' ', count(*) filter (where state = 'accepted'), count(*) filter (where state = 'refused'),
            count(*) filter (where state = 'failed')) as counts,
          count(*) as rows, count(distinct row_no) filter (where row_no between 1 and 100000) as numbered, max(row_no) as last
        from bulk_refund_rows r where r.mer_no = b.mer_no and r.bulk_id = b.bulk_id
      ) c on true
      where c.rows = 0 or c.last <> c.rows or b.checked is distinct from concat_ws(' ', b.email, b.address, b.created_at)
        or b.version <> case b.state when 'checked' then 1 when 'done' then 3 else 2 end
        or ${differsFrom(
          'b.total',
          `bulk_refund_rows r where r.mer_no = b.mer_no and r.bulk_id = b.bulk_id and r.state <> 'refused'`,
        )}
        or (b.started_at is not null) <> (b.state in ('running', 'done'))
        or (b.finished_at is not null) <> (b.state in ('done', 'cancelled'))
        or b.started_at is distinct from b.logged_start
        or b.state = 'done' and b.logged is distinct from concat_ws(' ', c.counts, b.email, b.reason, b.finished_at)
        or b.state = 'cancelled' and b.logged is distinct from concat_ws(' ', b.reason, b.finished_at)`,
  },
  {
    name: 'payout-run-lines',
    rule: "A line of a payout run is in a state that the run allows; if its payout was made, the payout has the line's number and money",
    text: `
      select l.mer_no, l.run_id as subject,
        format('line %s: %s, %s %s %s, order %s, %s', l.line_no, l.state, l.mer_order_no, l.amount, l.currency, l.trade_no,
          case when l.ask_at is null then 'not released' else 'released' end) as found,
        format('run %s, payout %s %s %s', coalesce(r.state, 'missing'), o.mer_order_no, o.amount, o.currency) as expected
      from payout_run_lines l
      left join payout_runs r on r.mer_no = l.mer_no and r.run_id = l.run_id and ${inSlice('r.mer_no', 'r.run_id')}
      left join lateral (
        select kind, mer_order_no, amount, currency, (
            select account_kind from payouts p where p.mer_no = o.mer_no and p.trade_no = o.trade_no limit 1
          ) as account_kind
        from orders o where o.mer_no = l.mer_no and o.trade_no = l.trade_no limit 1
      ) o on true
      where ${inSlice('l.mer_no', 'l.run_id')} and (r.state is null or not ${allowedLines}
        or (l.ask_at is not null) <> (l.state = 'waiting' and r.state = 'released')
        or (l.problem is not null) <> (l.state = 'refused')
        or l.state = 'made' and (o.kind, o.mer_order_no, o.amount, o.currency, o.account_kind)
          is distinct from ('payout', l.mer_order_no, l.amount, l.currency, l.kind))`,
  },
  {
    name: 'payout-run',
    rule: 'A payout run has the lines, the asker, the reason and the time of its line in the audit log; it was released at once, or as its approval was decided',
    text: `
      select r.mer_no, r.run_id as subject,
        format('%s lines, the last %s, %s by %s at %s, released %s', c.lines, c.last, r.state, r.created_by, r.created_at,
          r.released_at) as found,
        format('%s lines of %s, %s', r.logged, r.total, coalesce('approval ' || a.state || ' at ' || a.decided_at, 'no approval')) as expected
      from (
        select r.*, ${fromLog('r.mer_no', 'r.run_id', 'payouts.create', "concat_ws(' ', l.after ->> 'lines', l.after ->> 'state', l.actor, l.reason, l.at)")} as logged,
          ${fromLog('r.mer_no', 'r.run_id', 'payouts.create', "l.after ->> 'total'")} as total
        from payout_runs r where ${inSlice('r.mer_no', 'r.run_id')}
      ) r left join lateral (
        select state, decided_at from approvals a
        where a.mer_no = r.mer_no and a.kind = 'payouts' and a.subject = r.run_id order by approval_id desc limit 1
      ) a on true left join lateral (
        select count(*) as lines, max(line_no) as last from payout_run_lines l
        where l.mer_no = r.mer_no and l.run_id = r.run_id
      ) c on true
      where c.last is distinct from c.lines
        or ${differsFrom('r.total', 'payout_run_lines l where l.mer_no = r.mer_no and l.run_id = r.run_id')}
        or r.logged is distinct from concat_ws(' ', c.lines,
          case when a.state is null then 'released' else 'waiting' end, r.created_by, r.reason, r.created_at)
        or r.state <> case a.state when 'approved' then 'released' when 'rejected' then 'rejected'
          when 'waiting' then 'waiting' when 'expired' then 'waiting' else 'released' end
        or r.released_at is distinct from
          case when a.state is null then r.created_at when a.state = 'approved' then a.decided_at end`,
  },
]
