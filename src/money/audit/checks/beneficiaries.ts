// Checks the saved beneficiaries of payouts against the audit log and against the requests for their approval, because
// a payout to a usable account needs no second person.
import { type Check, inSlice } from '../check.ts'

/** The time after which a new or changed account is usable without an approval. */
const WAIT = "interval '1 day'"
/** The tolerance for the clocks of nodes: the lines that two nodes wrote may be in another order than the changes. */
const AT_ONCE = "interval '1 day'"

const lines = (condition: string) => `
  select from audit_log l where l.mer_no = b.mer_no and l.subject = b.beneficiary_id and ${condition} offset 0`
const requests = (condition: string) => `
  select from approvals a
  where a.mer_no = b.mer_no and a.kind = 'beneficiary' and a.subject = b.beneficiary_id and ${condition} offset 0`
/** True if a person rejected the request. False if a change or removal of the beneficiary rejected it. */
const isRejected = `a.state = 'rejected' and exists (
  select from audit_log l where l.mer_no = a.mer_no and l.subject = a.approval_id and l.action = 'approval.reject' offset 0)`

export const beneficiaryChecks: readonly Check[] = [
  {
    name: 'beneficiary-log',
    rule: 'The audit log has who saved, changed and removed a beneficiary; the account is usable a day after that, or since a second person approved it',
    text: `
      select b.mer_no, b.beneficiary_id as subject,
        format('%s, %s in %s, version %s, by %s at %s, usable from %s, confirmed by %s', b.state, b.kind, b.currency,
          b.version, b.created_by, b.created_at, b.usable_at, coalesce(b.confirmed_by, 'nobody')) as found,
        format('version %s, changed at %s', 1 + log.changes + log.approvals, log.last) as expected
      from beneficiaries b cross join lateral (
        select (
            select count(*) from audit_log l
            where l.mer_no = b.mer_no and l.subject = b.beneficiary_id and l.action = 'beneficiary.change'
          ) as changes, (
            select count(*) from approvals a
            where a.mer_no = b.mer_no and a.kind = 'beneficiary' and a.subject = b.beneficiary_id and a.state = 'approved'
          ) as approvals, (
            select max(l.at) from audit_log l
            where l.mer_no = b.mer_no and l.subject = b.beneficiary_id
              and l.action in ('beneficiary.add', 'beneficiary.change')
          ) as last
        offset 0
      ) log
      where ${inSlice('b.mer_no', 'b.beneficiary_id')} and (
        not exists (${lines(`l.action = 'beneficiary.add' and (l.at, l.actor) = (b.created_at, b.created_by)`)})
        or not exists (${lines(`l.action in ('beneficiary.add', 'beneficiary.change') and l.at >= log.last - ${AT_ONCE}
          and (l.after ->> 'kind', l.after ->> 'currency') = (b.kind, b.currency)`)})
        or b.version <> 1 + log.changes + log.approvals
        or (b.state = 'removed') <> (exists (${lines(`l.action = 'beneficiary.remove'`)})
          or exists (${requests(isRejected)}))
        or case when b.confirmed_by is null
          then not exists (${lines(`l.action in ('beneficiary.add', 'beneficiary.change') and b.usable_at = l.at + ${WAIT}`)})
          else not exists (${requests(`a.state = 'approved' and (a.decided_at, a.decided_by) = (b.usable_at, b.confirmed_by)`)})
        end)`,
  },
]
