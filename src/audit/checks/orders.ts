// Checks the amounts of each order against each other and against its ledger entries.
import { decimalsByCurrency } from '../../base/currency.ts'
import { AVAILABLE, EXCHANGE, FEES, MARGIN, UNSETTLED } from '../../ledger/account.ts'
import { type Check, inRange } from '../check.ts'
import { PAID } from './states.ts'

/** The amount paid, without any surplus. */
const paidAmount = 'least(coalesce(o.received, o.amount), o.amount)'
const net = (account: string, when = 'true') =>
  `coalesce(sum(case '${account}' when e.credit then e.amount when e.debit then -e.amount end) filter (where ${when}), 0)`

const isForeign = 'o.currency <> o.settle_currency'
/** Rounded down, as in the order's position: never in the merchant's favour. */
const converted = `floor(o.settled_source * o.settle_rate
  * power(10::numeric, ($3::json ->> o.settle_currency)::int - ($3::json ->> o.currency)::int))`

/**
 * When a version with the old rounding last wrote this database: towards zero, and to a tenth of an ariary or ouguiya. Null
 * if no older version ever did: then all migrations were applied at the same instant.
 */
const olderUntil = `(select applied_at from migrations where name = '0018_decimals.sql'
  and applied_at > (select min(applied_at) from migrations))`
/** The largest difference of the old rounding. Later bookings are differences of two conversions, so they keep it. */
const olderRounding = `case when o.settle_currency in ('MGA', 'MRU') then 10 else 1 end`

export const orderChecks: readonly Check[] = [
  {
    name: 'order-parts',
    rule: 'The parts of a paid order add up to the amount paid, and an unpaid order has no parts',
    text: `
      select mer_no, trade_no as subject, parts::text as found, paid::text as expected
      from (
        select o.mer_no, o.trade_no, case when o.state in ${PAID} then ${paidAmount} else 0 end as paid,
          coalesce(o.handling_fee + o.processing_fee, 0) + o.exception_fees + o.refunded + o.charged_back
            + o.margin_held + coalesce(o.remainder, 0) + o.settled_source as parts
        from orders o where ${inRange('o.mer_no')} and o.kind = 'payment'
      ) order_parts
      where parts <> paid`,
  },
  {
    name: 'order-entries',
    rule: "An order's remainder, margin, fees and settled amount equal the sums of its ledger entries",
    text: `
      select mer_no, trade_no as subject,
        format('unsettled %s, margin %s, fees %s, settled %s', remainder, margin_held, fees, settled_source) as found,
        format('unsettled %s, margin %s, fees %s, settled %s', e_unsettled, e_margin, e_fees, e_settled) as expected
      from (
        select o.mer_no, o.trade_no, coalesce(o.remainder, 0) as remainder, o.margin_held, o.settled_source,
          coalesce(o.handling_fee + o.processing_fee, 0) + o.exception_fees as fees,
          ${net(UNSETTLED)} as e_unsettled, ${net(MARGIN)} as e_margin, ${net(FEES)} as e_fees,
          case when ${isForeign} then ${net(EXCHANGE, 'e.currency = o.currency')} else ${net(AVAILABLE)} end as e_settled
        from orders o left join ledger_entries e on e.mer_no = o.mer_no and e.subject = o.trade_no
        where ${inRange('o.mer_no')} and o.kind = 'payment'
        group by o.mer_no, o.trade_no
      ) order_entries
      where remainder <> e_unsettled or margin_held <> e_margin or fees <> e_fees or settled_source <> e_settled`,
  },
  {
    name: 'order-conversion',
    rule: "The amount settled in another currency is the order's settled amount at its own rate",
    text: `
      select mer_no, trade_no as subject, available::text as found, converted::text as expected
      from (
        select o.mer_no, o.trade_no, ${converted} as converted, ${net(AVAILABLE)} as available,
          case when o.created_at < ${olderUntil} then ${olderRounding} else 0 end as tolerated
        from orders o join ledger_entries e on e.mer_no = o.mer_no and e.subject = o.trade_no
        where ${inRange('o.mer_no')} and o.kind = 'payment' and o.state in ${PAID} and ${isForeign}
        group by o.mer_no, o.trade_no
      ) order_conversion
      where coalesce(abs(available - converted) > tolerated, true)`,
    values: [JSON.stringify(decimalsByCurrency())],
  },
  {
    name: 'order-paid-once',
    rule: 'A paid order has one payment entry of the amount paid, and an unpaid order has none',
    text: `
      select o.mer_no, o.trade_no as subject,
        count(e.step) || ' entries of ' || coalesce(sum(e.amount), 0) as found,
        case when o.state in ${PAID} then '1 entries of ' || ${paidAmount} else '0 entries of 0' end as expected
      from orders o left join ledger_entries e on e.mer_no = o.mer_no and e.subject = o.trade_no and e.step = 'payment'
      where ${inRange('o.mer_no')} and o.kind = 'payment'
      group by o.mer_no, o.trade_no
      having count(e.step) <> (o.state in ${PAID})::int
        or coalesce(sum(e.amount), 0) <> case when o.state in ${PAID} then ${paidAmount} else 0 end`,
  },
  {
    name: 'order-attempts',
    rule: 'An order whose money arrived has one succeeded attempt, and any other order has none',
    text: `
      select o.mer_no, o.trade_no as subject, count(a.attempt_no) || ' succeeded' as found,
        (o.state in ${PAID} or o.state in (24, 25) or r.trade_no is not null)::int || ' succeeded' as expected
      from orders o
        left join attempts a on a.mer_no = o.mer_no and a.trade_no = o.trade_no and a.state = 'succeeded'
        left join reviews r on r.mer_no = o.mer_no and r.trade_no = o.trade_no and r.state = 'rejected'
      where ${inRange('o.mer_no')} and o.kind = 'payment'
      group by o.mer_no, o.trade_no, r.trade_no
      having count(a.attempt_no) <> (o.state in ${PAID} or o.state in (24, 25) or r.trade_no is not null)::int`,
  },
]
