// Checks the balances of accounts against the rows behind the money, such as open refunds. Also checks that the money
// of statement lines that name no known order is booked.
import {
  DISPUTED,
  MARGIN,
  PAYOUTS_IN_FLIGHT,
  REFUNDS_IN_FLIGHT,
  RETURN_COSTS,
  REVIEW,
  SUSPENSE,
  UNSETTLED,
} from '../../ledger/account.ts'
import { type Check, inRange, inSlice } from '../check.ts'
import { orderSums } from './order-sums.ts'

/** Selects the expected balances. Accounts of disputes and of the costs of returns have no row: they must be empty. */
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

const inTransit = [REVIEW, REFUNDS_IN_FLIGHT, PAYOUTS_IN_FLIGHT, RETURN_COSTS, DISPUTED]
const accounts = [UNSETTLED, MARGIN, SUSPENSE, ...inTransit]

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
    name: 'listed-lines',
    rule: 'Payments of no known order on statements are booked in full, and suspense holds no more than the statements list',
    text: `
      with listed as (
        select l.mer_no, l.channel, l.reference, l.currency, greatest(sum(l.amount), 0) as listed,
          sum(coalesce(s.booked, 0)) as booked, sum(coalesce(s.held, 0)) as held
        from statement_lines l left join lateral (
          select sum(s.amount) filter (where s.state <> 'assigned') as booked,
            sum(s.amount) filter (where s.state = 'held') as held
          from suspense s where s.line_no = l.line_no and s.state <> 'withdrawn'
        ) s on true
        where ${inSlice('l.mer_no', 'l.reference')} and l.trade_no is null and l.withdrawn_by is null
        group by l.mer_no, l.channel, l.reference, l.currency
      )
      select mer_no, format('%s %s', channel, reference) as subject, format('%s booked, %s held', booked, held) as found,
        format('%s listed in %s', listed, currency) as expected
      from listed where booked < listed or held > listed
      union all
      select l.mer_no, format('%s %s', l.channel, l.reference), s.suspense_id || ' held', 'withdrawn'
      from statement_lines l join suspense s using (line_no)
      where ${inSlice('l.mer_no', 'l.reference')} and l.trade_no is null and l.withdrawn_by is not null
        and s.state = 'held'`,
  },
]
