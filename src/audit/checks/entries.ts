// Checks what the table of bookings cannot refuse at a low price: its key has the name of a booking, not the steps of its legs.
import type { Check } from '../check.ts'

export const entryChecks: readonly Check[] = [
  {
    name: 'entry-once',
    rule: 'A step of a subject is booked once, as an amount above zero between two accounts',
    text: `
      select mer_no, subject,
        format('%s %s times: %s', step, count(*), string_agg(concat_ws(' ', amount, debit, 'to', credit), ', ')) as found,
        'once, between two accounts' as expected
      from slice_entries group by mer_no, subject, step
      having count(*) > 1 or bool_and(amount > 0 and debit <> credit) is not true`,
  },
]
