// Checks that the balance of an account equals the sum of the open rows behind it.
import {
  DISPUTED,
  MARGIN,
  PAYOUTS_IN_FLIGHT,
  REFUNDS_IN_FLIGHT,
  REVIEW,
  SUSPENSE,
  UNSETTLED,
} from '../../ledger/account.ts'
import { type Check, inRange, inSlice } from '../check.ts'
import { orderSums } from './order-sums.ts'

/** The expected balance of each account, from its owner's rows. The account of disputes must be empty. */
const expected = `
  select mer_no, '${UNSETTLED}' as account, currency, sum(remainder) as net from payments group by mer_no, currency
  union all
  select mer_no, '${MARGIN}', currency, sum(margin_held) from payments group by mer_no, currency
  union all
  select mer_no, '${REVIEW}', currency, sum(amount) from payments where state in (24, 25) group by mer_no, currency
  union all
  select mer_no, '${REFUNDS_IN_FLIGHT}', currency, sum(amount)
  from refunds where ${inRange()} and state not in ('succeeded', 'failed', 'returned') group by mer_no, currency
  union all
  select mer_no, '${PAYOUTS_IN_FLIGHT}', o.currency, sum(o.amount + p.fee)
  from payouts p join orders o using (mer_no, trade_no)
  where ${inRange()} and p.state not in ('succeeded', 'failed', 'returned') group by mer_no, o.currency
  union all
  select mer_no, '${SUSPENSE}', currency, sum(amount)
  from suspense where ${inRange()} and state = 'held' group by mer_no, currency`

const accounts = [UNSETTLED, MARGIN, REVIEW, REFUNDS_IN_FLIGHT, PAYOUTS_IN_FLIGHT, SUSPENSE, DISPUTED]

export const accountChecks: readonly Check[] = [
  {
    name: 'account-rows',
    rule: 'The balance of an account equals the sum of its open rows',
    over: 'merchant sums',
    text: `
      with payments as (select * from ${orderSums.text} where kind = 'payment'),
      expected as (${expected}), stored as (
        select mer_no, account, currency, credits - debits as net from exact_balances
        where ${inRange()} and account in (${accounts.map((account) => `'${account}'`).join(', ')})
      )
      select mer_no, account || ' ' || currency as subject, coalesce(k.net, 0)::text as found,
        coalesce(e.net, 0)::text as expected
      from stored k full join expected e using (mer_no, account, currency)
      where coalesce(k.net, 0) <> coalesce(e.net, 0)`,
  },
  {
    name: 'suspense-entries',
    rule: 'Money in suspense was booked once, and money that was returned or assigned was booked out once',
    text: `
      select s.mer_no, s.suspense_id as subject, s.state || ', ' || count(b.step) || ' entries of it' as found,
        case when s.state in ('returned', 'assigned') then '2' else '1' end || ' entries of it' as expected
      from suspense s left join bookings b on b.mer_no = s.mer_no
        and b.subject = coalesce(s.trade_no, s.suspense_id)
        and b.step in ('suspense:' || s.suspense_id, 'suspense-returned:' || s.suspense_id)
        and (b.amounts, b.currency) = (array[s.amount], s.currency)
      where ${inSlice('s.mer_no', 's.suspense_id')}
        -- A split row was booked with the row that it was split from.
        and s.origin <> 'split'
      group by s.mer_no, s.suspense_id, s.state
      having count(b.step) <> 1 + (s.state in ('returned', 'assigned'))::int`,
  },
  {
    name: 'deposits-waiting',
    rule: 'A deposit waits only while its attempt is open; after that it has paid the order or is in suspense',
    text: `
      select d.mer_no, d.trade_no as subject, format('%s waits, attempt %s', d.deposit_ref, a.state) as found,
        'taken or in suspense' as expected
      from deposits d join attempts a using (mer_no, trade_no, attempt_no)
      where ${inSlice('d.mer_no', 'd.trade_no')} and d.state = 'waiting' and a.state in ('succeeded', 'failed')`,
  },
]
