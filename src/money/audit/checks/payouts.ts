// Checks payouts against their orders and ledger entries.
import { decimalsByCurrency } from '../../../platform/base/currency.ts'
import { AVAILABLE, RETURN_COSTS } from '../../ledger/account.ts'
import { type Check, CLOCK_TOLERANCE, inSlice, isNear } from '../check.ts'

/** The states of the payout and of its order, reduced to `succeeded`, `failed` and `open`. */
const payoutState = `case when p.state = 'succeeded' then 'succeeded' when p.state in ('failed', 'returned') then 'failed'
  else 'open' end`
const orderState = `case o.state when 5 then 'succeeded' when 1 then 'open' else 'failed' end`

const decimals = `'${JSON.stringify(decimalsByCurrency())}'::json`
/** The amount that came back. If no amount is recorded, the full amount came back. */
const arrived = 'coalesce(p.returned_amount, o.amount)'
/** The amount that is credited to the merchant: the amount that came back, at the payout's own rate, rounded down. */
const cameBack = `floor(${arrived} * coalesce(p.funding_rate, 1)
  * power(10::numeric, (${decimals} ->> p.funding_currency)::int - (${decimals} ->> o.currency)::int))`

/**
 * True if `sending_at` is the time of an approval, or the time of acceptance if nobody had to approve the payout. Null
 * for a payout without approval whose account may be entered later, because no column stores the time of that entry.
 */
const isSentInTime = `case when p.approved_at is not null or p.merchant_approved_at is not null
  then coalesce(${isNear('p.sending_at', 'p.approved_at')}, false)
    or coalesce(${isNear('p.sending_at', 'p.merchant_approved_at')}, false)
  when p.kind not in ('card', 'checkout') then ${isNear('p.sending_at', 'p.created_at')} end`

/** A share of the amount in basis points, rounded half up as in money/orders/fees.ts. */
const shareOf = (amount: string, bps: string) => `floor((${amount}::numeric * ${bps} + 5000) / 10000)::bigint`

export const payoutChecks: readonly Check[] = [
  {
    name: 'payout-state',
    rule: 'A payout and its order have the same outcome',
    text: `
      select o.mer_no, o.trade_no as subject, 'order ' || ${orderState} as found,
        'payout ' || coalesce(${payoutState}, 'missing') as expected
      from slice_orders o left join payouts p on p.mer_no = o.mer_no and p.trade_no = o.trade_no
        and ${inSlice('p.mer_no', 'p.trade_no')}
      where o.kind = 'payout' and ${orderState} is distinct from (case when p.state is not null then ${payoutState} end)`,
  },
  {
    name: 'payout-entries',
    rule: 'A payout has debited its funding amount, less what came back, and was sent once if it succeeded; what did not come back is a cost',
    text: `
      select mer_no, trade_no as subject, format('took %s, sent %s times, cost of return %s', taken, sent, cost) as found,
        format('took %s, sent %s times, cost of return %s', owed, is_sent, missing) as expected
      from (
        select p.mer_no, p.trade_no, (p.state in ('succeeded', 'returned'))::int as is_sent,
          case p.state when 'failed' then 0 when 'returned' then p.funding_amount - ${cameBack} else p.funding_amount end
            as owed,
          case p.state when 'returned' then o.amount - ${arrived} else 0 end as missing,
          coalesce(sum(e.amount) filter (where e.credit = '${RETURN_COSTS}'), 0) as cost,
          count(*) filter (where e.step = 'payout:sent') as sent,
          coalesce(sum((e.debit = '${AVAILABLE}')::int * e.amount - (e.credit = '${AVAILABLE}')::int * e.amount)
            filter (where e.currency = p.funding_currency), 0) as taken
        from payouts p join orders o on o.mer_no = p.mer_no and o.trade_no = p.trade_no
          and ${inSlice('o.mer_no', 'o.trade_no')}
        left join slice_entries e on e.mer_no = p.mer_no and e.subject = p.trade_no
        where ${inSlice('p.mer_no', 'p.trade_no')}
        group by p.mer_no, p.trade_no, o.amount, o.currency
      ) payout_entries
      where taken <> owed or sent <> is_sent or cost <> missing`,
  },
  {
    name: 'payout-terms',
    rule: "A payout's fee follows from its terms, and its funding amount is the amount with the fee at the payout's rate, rounded up",
    text: `
      select mer_no, trade_no as subject,
        format('fee %s, charged %s and %s, took %s %s at %s, under %s', fee, handling_fee, processing_fee, funding_amount,
          funding_currency, funding_rate, reference) as found,
        format('fee %s and %s, %s', handling, fee_fixed, worth) as expected
      from (
        select p.*, o.handling_fee, o.processing_fee, o.fee_fixed, o.currency, o.state as order_state, o.tolerated,
          ${shareOf('o.amount', 'o.fee_bps')} as handling,
          case when p.funding_rate is null then o.amount + p.fee else ceil((o.amount + p.fee) * p.funding_rate
            * power(10::numeric, (${decimals} ->> p.funding_currency)::int - (${decimals} ->> o.currency)::int)) end
            as worth
        from payouts p join slice_orders o using (mer_no, trade_no)
        where ${inSlice('p.mer_no', 'p.trade_no')} and o.kind = 'payout' and not o.is_rescaled and o.is_recent
      ) payout
      where fee <> handling + fee_fixed or (funding_rate is null) <> (funding_currency = currency)
        or funding_amount <> worth or reference <> 'P' || substr(trade_no, 2)
        or (handling_fee, processing_fee) is distinct from
          (case when order_state = 1 or state = 'failed' then null else handling end,
            case when order_state = 1 or state = 'failed' then null else fee_fixed end)`,
  },
  {
    name: 'payout-order',
    rule: 'A payout belongs to an order of its own, whose method names its kind, and is sent once everybody has approved who must',
    text: `
      select p.mer_no, p.trade_no as subject,
        format('%s, sent at %s, approved at %s and %s', p.state, p.sending_at, p.approved_at, p.merchant_approved_at)
          as found,
        'an order, and every approval that it needs' as expected
      from payouts p left join slice_orders o using (mer_no, trade_no)
      where ${inSlice('p.mer_no', 'p.trade_no')} and (o.kind is distinct from 'payout'
        or p.created_at <> o.created_at or o.method <> 'payout_' || p.kind
        or (p.state = 'tokenising' and p.kind <> 'card') or (p.state = 'awaiting_account' and p.kind <> 'checkout')
        or (p.state = 'awaiting_account' and p.account_kind is not null)
        or (p.sending_at is not null and not ${isSentInTime})
        or (o.is_recent and p.account_kind is distinct from p.kind
          and not (p.kind = 'checkout' and (p.account_kind is not null or p.sealed is null)))
        or (p.state in ('tokenising', 'awaiting_account', 'awaiting_approval') and p.sending_at is not null)
        or (p.state = 'awaiting_approval' and not (p.needs_approval and p.approved_at is null)
          and not (p.needs_merchant_approval and p.merchant_approved_at is null))
        or (p.approved_at is not null and not p.needs_approval)
        or (p.merchant_approved_at is not null and not p.needs_merchant_approval)
        or (p.state in ('sending', 'succeeded', 'returned') and (p.sending_at is null
          or (p.needs_approval and p.approved_at is null)
          or (p.needs_merchant_approval and p.merchant_approved_at is null)))
        or p.sending_at < p.created_at - ${CLOCK_TOLERANCE}
        or p.approved_at < p.created_at - ${CLOCK_TOLERANCE}
        or greatest(p.sending_at, p.approved_at) > o.decided_at + ${CLOCK_TOLERANCE})`,
  },
]
