// Checks approvals: that the right side decided, that two people saw each approved request, that an approved action was
// carried out, and that the audit log has a line of each request and decision.
import { decimalsByCurrency } from '../../../platform/base/currency.ts'
import { APPROVAL_MS } from '../../approvals/approval.ts'
import { approvalRules } from '../../approvals/may-approve.ts'
import { CORRECTION } from '../../ledger/account.ts'
import { type Check, CLOCK_TOLERANCE, inSlice } from '../check.ts'

const slice = inSlice('a.mer_no', 'a.approval_id')

const deciders = Object.entries(approvalRules)
  .map(([kind, { decider }]) => `when '${kind}' then '${decider}'`)
  .join(' ')
const decider = `case a.kind ${deciders} end`

/** The mailbox and the account by which two people are compared, as in money/approvals/may-approve.ts. */
const mailbox = (name: string) => `regexp_replace(lower(btrim(${name})), '\\+[^@]*@', '@')`
const account = (name: string) => `regexp_replace(${mailbox(name)}, '@.*', '')`
const isSamePerson = `(${mailbox('a.asked_by')} = ${mailbox('a.decided_by')} or a.asked_kind <> a.decided_kind and (
  ${account('a.asked_by')} = ${mailbox('a.decided_by')} or ${mailbox('a.asked_by')} = ${account('a.decided_by')}))`

const decimals = `'${JSON.stringify(decimalsByCurrency())}'::json`
const inMinorUnits = (amount: string) =>
  `(${amount})::numeric * power(10::numeric, (${decimals} ->> a.currency)::int)`
/** The amount in the request's action, in minor units. */
const statedAmount = inMinorUnits(`a.action ->> 'amount'`)

/** Returns a condition that is true if the audit log has this line about the approval. */
const hasLine = (subject: string, action: string, line: string) => `exists (
  select from audit_log l where l.mer_no = a.mer_no and l.subject = ${subject} and l.action ${action} and ${line}
  offset 0)`

const loggedAmount = inMinorUnits(`substring(l.after ->> 'amount' from '^[0-9.]+')`)
/** True if the line has the request's kind, subject and action, and its amount as `12.34 USD`. */
const isSameRequest = `l.after - 'amount' = jsonb_build_object('kind', a.kind, 'about', a.subject) || (a.action - 'amount')
  and case when a.amount is null then (l.after ->> 'amount') is not distinct from (a.action ->> 'amount')
    else substring(l.after ->> 'amount' from ' (.+)$') = a.currency and ${loggedAmount} = a.amount end`
const isAsked = hasLine(
  'a.approval_id',
  `= 'approval.ask'`,
  `l.at = a.asked_at and (l.actor_kind, l.actor) = (a.asked_kind, a.asked_by) and ${isSameRequest}`,
)

const byDecider = 'l.at = a.decided_at and (l.actor_kind, l.actor) = (a.decided_kind, a.decided_by)'
/**
 * True if a change or removal of the beneficiary rejected the request. The audit log then has no line
 * `approval.reject`.
 */
const isOvertaken = `a.kind = 'beneficiary'
  and ${hasLine('a.subject', `in ('beneficiary.change', 'beneficiary.remove')`, byDecider)}`
const isDecided = `case a.state when 'approved' then ${hasLine('a.approval_id', `= 'approval.approve'`, byDecider)}
  when 'rejected' then ${hasLine('a.approval_id', `= 'approval.reject'`, byDecider)} or ${isOvertaken}
  else num_nonnulls(a.decided_kind, a.decided_by, a.decided_at, a.decision) = 0 end`
/** True if the same action was requested again after the expiry. Only the new request marks the old one as expired. */
const isExpired = `exists (
  select from approvals again
  where again.mer_no = a.mer_no and again.kind = a.kind and again.subject = a.subject and again.asked_at >= a.expires_at
  offset 0)`

/** For each kind, the query that counts the rows that were written when the action was carried out. */
const effects = {
  outcome: `select count(*) from audit_log l
    where l.mer_no = a.mer_no and l.subject = a.subject and l.action = 'outcome.decide' and l.at = a.decided_at
      and l.after ->> 'askedBy' = a.asked_by`,
  correction: `select count(*) from bookings b
    where b.mer_no = a.mer_no and b.subject = a.subject and b.step = '${CORRECTION}'`,
  suspense: `select count(*) from suspense s
    where s.mer_no = a.mer_no and s.suspense_id = a.subject and s.decided_at = a.decided_at
      and s.state = case a.action ->> 'as' when 'accept' then 'accepted' else 'returned' end`,
  payouts: `select count(*) from payout_runs r
    where r.mer_no = a.mer_no and r.run_id = a.subject and r.state = 'released'
      and r.released_at is not distinct from a.decided_at`,
  // If the account is changed later, it waits again, so this approval no longer determines `usable_at`.
  beneficiary: `select count(*) from beneficiaries b
    where b.mer_no = a.mer_no and b.beneficiary_id = a.subject and (b.usable_at = a.decided_at and b.confirmed_by = a.decided_by
      or a.state = 'approved' and exists (
        select from audit_log l
        where l.mer_no = a.mer_no and l.subject = a.subject and l.action = 'beneficiary.change'))`,
  owner: `select count(distinct l.at) from audit_log l
    where l.mer_no = a.mer_no and l.subject = a.subject and l.action like 'user.%' and l.at = a.decided_at`,
}
const effect = `case a.kind ${Object.entries(effects)
  .map(([kind, text]) => `when '${kind}' then (${text} offset 0)`)
  .join(' ')} end`

/** The time since which refunds and payouts store the person who asked. */
const askersSince = `(select applied_at from migrations where name = '0059_who_asked.sql')`

/** Selects the lines of payout runs that are in this state, each with the person who asked for the payout. */
const askedLines = (state: string) => `
  select l.mer_no, l.trade_no, l.mer_order_no, r.released_at, 'user ' || r.created_by as asked
  from payout_run_lines l join payout_runs r using (mer_no, run_id)
  where l.mer_no = any (array(select distinct mer_no from slice_orders where kind = 'payout')) and l.state = '${state}'`

export const approvalChecks: readonly Check[] = [
  {
    name: 'approval-people',
    rule: 'The side that its kind names decides a request, within a week and by a second person; the audit log has the request and its decision',
    text: `
      select a.mer_no, a.approval_id as subject,
        format('%s of %s by %s %s at %s until %s; %s by %s %s at %s; decided by the %s', a.kind, a.subject, a.asked_kind,
          a.asked_by, a.asked_at, a.expires_at, a.state, a.decided_kind, a.decided_by, a.decided_at, a.decider) as found,
        'two people, and both in the audit log' as expected
      from approvals a
      where ${slice} and (
        ${decider} not in (a.decider, 'either')
        or a.expires_at <> a.asked_at + interval '${APPROVAL_MS} milliseconds'
        or a.state = 'approved' and (a.decided_at >= a.expires_at or ${isSamePerson})
        or a.kind = 'owner' and a.action ->> 'askedAs' = 'operator' and a.decider <> 'platform'
        or (a.amount is null) <> (a.currency is null)
        or a.state = 'expired' and not ${isExpired}
        or (${isAsked}) is not true or (${isDecided}) is not true)`,
  },
  {
    name: 'approval-effect',
    rule: 'The action of an approved request was carried out once, and that of any other request was not',
    text: `
      select mer_no, approval_id as subject, format('%s of %s %s, done %s times', kind, subject, state, done) as found,
        case state when 'approved' then 'done once' else 'not done' end as expected
      from (
        select a.mer_no, a.approval_id, a.kind, a.subject, a.state, ${effect} as done from approvals a where ${slice}
      ) a
      where done <> (state = 'approved')::int`,
  },
  {
    name: 'approval-money',
    rule: 'The amount of a request is that of its action, and of what was carried out',
    text: `
      select a.mer_no, a.approval_id as subject, format('%s %s', a.amount, a.currency) as found,
        concat_ws(' ', a.action ->> 'amount', a.action ->> 'from', a.action ->> 'to', 'booked', b.booked) as expected
      from approvals a left join lateral (
        select format('%s %s from %s to %s', sum(amount), min(currency), min(debited), min(credited)) as booked
        from (
          select unnest(amounts) as amount, currency, unnest(debited) as debited, unnest(credited) as credited
          from bookings b
          where a.kind = 'correction' and b.mer_no = a.mer_no and b.subject = a.subject and b.step = '${CORRECTION}'
        ) legs having count(*) > 0
      ) b on true
      where ${slice} and (
        a.kind in ('outcome', 'correction') and ${statedAmount} is distinct from a.amount
        or b.booked <> format('%s %s from %s to %s', a.amount, a.currency, a.action ->> 'from', a.action ->> 'to'))`,
  },
  {
    name: 'money-asker',
    rule: 'The person who asked for a refund or a payout is the one of the audit log or of its payout run, so that a second person approves it',
    text: `
      select m.mer_no, m.trade_no as subject, format('%s asked for by %s', m.what, coalesce(m.asked, 'no person')) as found,
        coalesce(m.logged, 'no person') as expected
      from (
        select r.mer_no, r.trade_no, 'refund ' || r.refund_no as what, nullif(concat_ws(' ', r.asked_kind, r.asked_by), '') as asked, (
            select l.actor_kind || ' ' || l.actor from audit_log l
            where l.mer_no = r.mer_no and l.subject = r.trade_no and l.action = 'refund.create'
              and l.after ->> 'refundNo' = r.refund_no limit 1
          ) as logged
        from refunds r where ${inSlice('r.mer_no', 'r.trade_no')} and r.created_at >= ${askersSince}
        union all
        select p.mer_no, p.trade_no, 'payout', p.asked, case
            when made.released_at <= p.created_at + ${CLOCK_TOLERANCE} or made.asked = p.asked then made.asked when waiting.asked is not null then p.asked end
        from (
          select p.mer_no, p.trade_no, p.created_at, o.mer_order_no, nullif(concat_ws(' ', p.asked_kind, p.asked_by), '') as asked
          from payouts p join slice_orders o on o.mer_no = p.mer_no and o.trade_no = p.trade_no
          where ${inSlice('p.mer_no', 'p.trade_no')} and p.created_at >= ${askersSince}
        ) p
        left join (${askedLines('made')}) made on made.mer_no = p.mer_no and made.trade_no = p.trade_no
        left join (${askedLines('waiting')}) waiting
          on waiting.mer_no = p.mer_no and waiting.mer_order_no = p.mer_order_no and waiting.asked = p.asked
      ) m
      where m.asked is distinct from m.logged`,
  },
]
