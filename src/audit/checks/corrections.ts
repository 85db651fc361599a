// Checks the correcting entries of operators: each one is explained by a line of the audit log.
import { AVAILABLE, CORRECTION, EXCHANGE, FEES } from '../../ledger/account.ts'
import type { Check } from '../check.ts'

const isCorrectable = (account: string) =>
  `(${account} in ('${AVAILABLE}', '${EXCHANGE}', '${FEES}') or starts_with(${account}, 'rail:'))`

export const correctionChecks: readonly Check[] = [
  {
    name: 'correction-explained',
    rule: 'A correcting entry moves money between two accounts that may be corrected, and the audit log says why',
    text: `
      select e.mer_no, e.subject, format('%s to %s, %s', e.debit, e.credit,
          case when l.subject is null then 'no line in the audit log' else 'in the audit log' end) as found,
        'accounts that may be corrected, in the audit log' as expected
      from slice_entries e left join audit_log l
        on l.mer_no = e.mer_no and l.subject = e.subject and l.action = 'ledger.correct'
      where e.subject >= 'K' and e.subject < 'L' and e.step = '${CORRECTION}'
        and not (l.subject is not null and ${isCorrectable('e.debit')} and ${isCorrectable('e.credit')})`,
  },
]
