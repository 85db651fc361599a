// Checks payouts against their orders and ledger entries.
import { decimalsByCurrency } from '../../base/currency.ts'
import { AVAILABLE } from '../../ledger/account.ts'
import { type Check, inSlice } from '../check.ts'

/** Both states, reduced to the same three words. */
const orderState = `case when p.state = 'succeeded' then 'succeeded' when p.state in ('failed', 'returned') then 'failed'
  else 'open' end`
const payoutState = `case o.state when 5 then 'succeeded' when 1 then 'open' else 'failed' end`

const decimals = `'${JSON.stringify(decimalsByCurrency())}'::json`
/** The amount without the fee, at the payout's own rate, rounded down. */
const cameBack = `floor(o.amount * coalesce(p.funding_rate, 1)
  * power(10::numeric, (${decimals} ->> p.funding_currency)::int - (${decimals} ->> o.currency)::int))`

export const payoutChecks: readonly Check[] = [
  {
    name: 'payout-state',
    rule: 'A payout and its order have the same outcome',
    text: `
      select o.mer_no, o.trade_no as subject, 'order ' || ${payoutState} as found,
        'payout ' || coalesce(${orderState}, 'missing') as expected
      from slice_orders o left join payouts p on p.mer_no = o.mer_no and p.trade_no = o.trade_no
        and ${inSlice('p.mer_no', 'p.trade_no')}
      where o.kind = 'payout' and ${payoutState} is distinct from (case when p.state is not null then ${orderState} end)`,
  },
  {
    name: 'payout-entries',
    rule: 'A payout has debited its funding amount, less what it gave back, and was sent once if it succeeded',
    text: `
      select mer_no, trade_no as subject, format('took %s, sent %s times', taken, sent) as found,
        format('took %s, sent %s times', owed, is_sent) as expected
      from (
        select p.mer_no, p.trade_no, (p.state in ('succeeded', 'returned'))::int as is_sent,
          case p.state when 'failed' then 0 when 'returned' then p.funding_amount - ${cameBack} else p.funding_amount end
            as owed,
          count(*) filter (where e.step = 'payout:sent') as sent,
          coalesce(sum((e.debit = '${AVAILABLE}')::int * e.amount - (e.credit = '${AVAILABLE}')::int * e.amount)
            filter (where e.currency = p.funding_currency), 0) as taken
        from payouts p join orders o on o.mer_no = p.mer_no and o.trade_no = p.trade_no
          and ${inSlice('o.mer_no', 'o.trade_no')}
        left join slice_entries e on e.mer_no = p.mer_no and e.subject = p.trade_no
        where ${inSlice('p.mer_no', 'p.trade_no')}
        group by p.mer_no, p.trade_no, o.amount, o.currency
      ) payout_entries
      where taken <> owed or sent <> is_sent`,
  },
]
