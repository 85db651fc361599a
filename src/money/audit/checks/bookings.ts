// Checks ledger entries for errors that the table `bookings` accepts, such as one step in two bookings of a subject:
// the key of the table contains the name of a booking, but not the steps of its entries. Also checks the correcting
// entries of operators.

import { decimalsByCurrency } from '../../../platform/base/currency.ts'
import { AVAILABLE, CORRECTION, EXCHANGE, FEES } from '../../ledger/account.ts'
import { type Check, inSlice, isNear } from '../check.ts'

export const entryChecks: readonly Check[] = [
  {
    name: 'entry-once',
    rule: 'A step of a subject is booked once, as an amount above zero between two accounts',
    text: `
      select mer_no, subject,
        format('%s %s times: %s', step, count(*), string_agg(concat_ws(' ', amount, debit, 'to', credit), ', ')) as found,
        'once, between two accounts' as expected
      from slice_entries join (
        select mer_no, subject, step from slice_entries group by mer_no, subject, step
        having count(*) > 1 or bool_and(amount > 0 and debit <> credit) is not true
      ) broken using (mer_no, subject, step)
      group by mer_no, subject, step`,
  },
]

// Every correcting entry must be explained by a line of the audit log.

const isCorrectable = (account: string) =>
  `(${account} in ('${AVAILABLE}', '${EXCHANGE}', '${FEES}') or starts_with(${account}, 'rail:'))`

const decimals = `'${JSON.stringify(decimalsByCurrency())}'::json`
/** True if the entry has the amount in the audit log, such as `5.00 USD`, or if the log has no amount. */
const isLoggedAmount = `coalesce(split_part(l.after ->> 'amount', ' ', 2) = e.currency
  and split_part(l.after ->> 'amount', ' ', 1)::numeric * power(10::numeric, (${decimals} ->> e.currency)::int) = e.amount,
  true)`

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
        and not (l.subject is not null and ${isCorrectable('e.debit')} and ${isCorrectable('e.credit')}
          and e.debit = l.after ->> 'from' and e.credit = l.after ->> 'to' and ${isNear('e.at', 'l.at')}
          and ${isLoggedAmount})`,
  },
  {
    name: 'correction-booked',
    rule: 'A correction in the audit log has its entry',
    text: `
      select l.mer_no, l.subject, 'no entry' as found, format('%s to %s', l.after ->> 'from', l.after ->> 'to') as expected
      from audit_log l left join slice_entries e on e.mer_no = l.mer_no and e.subject = l.subject
      where l.action = 'ledger.correct' and ${inSlice('l.mer_no', 'l.subject')} and e.subject is null`,
  },
]
