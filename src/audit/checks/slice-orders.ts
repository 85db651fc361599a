// The ledger entries of a slice, and its orders, each beside the sums of its entries. Most rows of the books are orders and
// entries: they are read once for all checks.
import { decimalsByCurrency } from '../../base/currency.ts'
import { AVAILABLE, EXCHANGE, FEES, MARGIN, UNSETTLED } from '../../ledger/account.ts'
import { inSlice } from '../check.ts'
import { PAID } from './states.ts'

const net = (account: string, when = 'true') =>
  `coalesce(sum(case '${account}' when e.credit then e.amount when e.debit then -e.amount end) filter (where ${when}), 0)`

const isForeign = 'o.currency <> o.settle_currency'
const decimals = `'${JSON.stringify(decimalsByCurrency())}'::json`
/** Rounded down, as in the order's position: never in the merchant's favour. */
const converted = `floor(o.settled_source * o.settle_rate
  * power(10::numeric, (${decimals} ->> o.settle_currency)::int - (${decimals} ->> o.currency)::int))`

/**
 * When a version with the old rounding last wrote this database: towards zero, and to a tenth of an ariary or ouguiya. Null
 * if no older version ever did: then all migrations were applied at the same instant.
 */
const olderUntil = `(select applied_at from migrations where name = '0018_decimals.sql'
  and applied_at > (select min(applied_at) from migrations))`
/** The largest difference of the old rounding. Later bookings are differences of two conversions, so they keep it. */
const olderRounding = `case when o.settle_currency in ('MGA', 'MRU') then 10 else 1 end`

/** The amount paid, without any surplus. */
const paidAmount = 'least(coalesce(o.received, o.amount), o.amount)'

/** Not by the view ledger_entries, whose join loops: such joins are turned off. */
const entries = `
  select mer_no, subject, unnest(steps) as step, unnest(debited) as debit, unnest(credited) as credit, currency,
    unnest(amounts) as amount
  from bookings where ${inSlice('mer_no', 'subject')}`

/** The expected conversion is null for orders that need none. */
export const sliceOrders = `
  slice_entries as materialized (${entries}),
  slice_orders as materialized (
    select o.mer_no, o.trade_no, o.kind, o.state, o.version, coalesce(o.remainder, 0) as remainder, o.margin_held,
      o.settled_source, o.settled_at, o.margin_released_at, o.refunded, o.refunds_open, o.charged_back,
      o.chargeback_state, o.exception_fees,
      coalesce(o.handling_fee + o.processing_fee, 0) + o.exception_fees as fees,
      o.state in ${PAID} as is_paid, case when o.state in ${PAID} then ${paidAmount} else 0 end as paid,
      ${isForeign} as is_foreign, case when o.state in ${PAID} and ${isForeign} then ${converted} end as converted,
      case when o.created_at < ${olderUntil} then ${olderRounding} else 0 end as tolerated,
      count(e.step) as entries, ${net(UNSETTLED)} as e_unsettled, ${net(MARGIN)} as e_margin, ${net(FEES)} as e_fees,
      ${net(AVAILABLE)} as e_available, ${net(EXCHANGE, 'e.currency = o.currency')} as e_exchange,
      count(e.step) filter (where e.step = 'payment') as payment_entries,
      coalesce(sum(e.amount) filter (where e.step = 'payment'), 0) as payment_amount
    from orders o left join slice_entries e on e.mer_no = o.mer_no and e.subject = o.trade_no
    where ${inSlice('o.mer_no', 'o.trade_no')}
    group by o.mer_no, o.trade_no
  )`
