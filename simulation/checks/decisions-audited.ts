// Compares operators' decisions with the audit log and with each other. Each decision must have one line, two people
// must have made each large decision, and rejected corrections must not be booked.
import type { Check, Finding } from '../check.ts'
import type { World } from '../world/world.ts'

type Row = { readonly what: string; readonly subject: string; readonly found: string }

export const decisionsAudited: Check = {
  name: 'decisions have their people',
  promise:
    'Each decision has one line in the audit log; above the limit two different people made it; what was rejected was not done.',
  async run(world) {
    const findings: Finding[] = []
    let compared = 0
    for (const text of [lines, people, alone]) {
      const rows = await ask(world, text)
      compared += rows.length
      for (const { what, subject, found } of rows)
        if (what !== '') findings.push({ what, about: subject, rows: { subject, found } })
    }
    return { compared, findings }
  },
}

async function ask({ db }: World, text: string): Promise<Row[]> {
  return await db.query<Row>({ text })
}

/**
 * Each decision must have exactly one audit line. Accepting money in suspense is one decision about all money that is
 * held for the same attempt.
 */
const lines = `
  with done as (
    select 'suspense.return' as action, mer_no, suspense_id as subject, array[suspense_id] as about from suspense where state = 'returned'
    union all
    select 'suspense.assign', mer_no, suspense_id, array[suspense_id] from suspense where state = 'assigned'
    union all
    select 'suspense.accept', s.mer_no, s.trade_no, array_agg(s.suspense_id) from suspense s where s.state = 'accepted'
    group by s.mer_no, s.trade_no, s.attempt_no, s.decided_at
    union all
    select 'ledger.correct', mer_no, subject, array[subject] from bookings where step = 'correction'
    union all
    select case state when 'approved' then 'approval.approve' else 'approval.reject' end, mer_no, approval_id, array[approval_id]
    from approvals where state in ('approved', 'rejected')
  )
  select case when count(l.entry_id) = 1 then '' else d.action || ' has ' || count(l.entry_id) || ' lines in the audit log' end as what,
    d.subject, array_to_string(d.about, ' ') as found
  from done d left join audit_log l on l.action = d.action and l.subject = any (d.about)
  group by d.action, d.mer_no, d.subject, d.about`

/**
 * The person who asked for an approval must not give the approval. A correction that waited for a second person is
 * booked if and only if that person approved the correction.
 */
const people = `
  select case
      when a.state = 'approved' and lower(a.asked_by) = lower(a.decided_by) then 'the person who asked has approved it'
      when a.kind = 'correction' and (a.state = 'approved') <> (b.subject is not null)
        then 'a correction is ' || a.state || case when b.subject is null then ' and not booked' else ' and booked' end
      else '' end as what, a.approval_id as subject, a.asked_by || ', ' || coalesce(a.decided_by, '') as found
  from approvals a left join bookings b on a.kind = 'correction' and b.mer_no = a.mer_no and b.subject = a.subject
  where a.state in ('approved', 'rejected')`

/**
 * A single person may decide alone about 1,000.00 US dollars a day for each merchant. The query adds up only dollars,
 * and treats the whole run as one day.
 */
const alone = `
  select case when sum(split_part(after ->> 'amount', ' ', 1)::numeric) > 1000 then 'one person decided alone about '
      || sum(split_part(after ->> 'amount', ' ', 1)::numeric) || ' USD of a merchant' else '' end as what,
    'merchant ' || mer_no as subject, actor as found
  from audit_log
  where action in ('ledger.correct', 'suspense.accept', 'suspense.return', 'outcome.decide') and after ->> 'askedBy' is null
    and after ->> 'amount' like '% USD'
  group by mer_no, actor`
