// Checks that the rows that people entered still exist: each row was written together with a line of the audit log.
import { type Check, inSlice } from '../check.ts'

/** The audit log's lines about new rows: the line's action, the table, and the column with the id of the row. */
const entered = [
  ['approval.ask', 'approvals', 'approval_id'],
  ['link.create', 'payment_links', 'link_id'],
  ['bulk-refund.check', 'bulk_refunds', 'bulk_id'],
  ['payouts.create', 'payout_runs', 'run_id'],
  ['beneficiary.add', 'beneficiaries', 'beneficiary_id'],
  ['review.pick', 'reviews', 'trade_no'],
  ['review.ask', 'reviews', 'trade_no'],
  ['review.approve', 'reviews', 'trade_no'],
  ['review.reject', 'reviews', 'trade_no'],
] as const

const isMissing = entered
  .map(
    ([action, table, id]) => `when '${action}' then not exists (
          select from ${table} e where e.mer_no = l.mer_no and e.${id} = l.subject offset 0)`,
  )
  .join(' ')

export const loggedRowChecks: readonly Check[] = [
  {
    name: 'logged-rows',
    rule: 'Every request for approval, payment link, bulk refund, payout run, beneficiary and review that is in the audit log is stored',
    text: `
      select l.mer_no, l.subject, 'no row' as found, format('%s by %s at %s', l.action, l.actor, l.at) as expected
      from audit_log l
      where ${inSlice('l.mer_no', 'l.subject')} and case l.action ${isMissing} else false end`,
  },
]
