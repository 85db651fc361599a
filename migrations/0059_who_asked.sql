-- Who asked for a refund or a payout, so that the same person cannot approve it. Null: the merchant's own system asked.
-- Only rows that may still wait for approval get the person from the audit log or from their run of payouts.
alter table refunds add column asked_kind text, add column asked_by text;
alter table payouts add column asked_kind text, add column asked_by text;

update refunds r set asked_kind = a.actor_kind, asked_by = a.actor
from audit_log a
where r.state = 'waiting' and a.mer_no = r.mer_no and a.subject = r.trade_no and a.action = 'refund.create'
  and a.after ->> 'refundNo' = r.refund_no;

update payouts p set asked_kind = 'user', asked_by = run.created_by
from payout_run_lines l join payout_runs run using (mer_no, run_id)
where p.state = 'awaiting_approval' and l.mer_no = p.mer_no and l.trade_no = p.trade_no;
