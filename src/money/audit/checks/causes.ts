// Checks every entry of the ledger against the row that caused it: a payment, refund, chargeback, payout, review, money
// in suspense, or the opening balances of a sandbox or a demo merchant. Each cause below states the accounts of one
// entry and, if the rows state them, the amount and time. An entry without a cause is an error. A cause that states an
// amount but has no entry is an error too, because its money was never booked. Corrections have a check of their own
// (correction-explained).
//
// Amounts that depend on earlier events of the order (a settlement, the margin that a refund frees, the parts of a
// chargeback) are not stated here: the check order-entries compares the sums of these amounts with the order.
import {
  AVAILABLE,
  CORRECTION,
  DISPUTED,
  EXCHANGE,
  FEES,
  MARGIN,
  PAYOUTS_IN_FLIGHT,
  REFUNDS_IN_FLIGHT,
  RETURN_COSTS,
  REVIEW,
  SUSPENSE,
  UNSETTLED,
} from '../../ledger/account.ts'
import { OPENING, openingBalances } from '../../merchants/opening-balances.ts'
import { State } from '../../orders/order.ts'
import { type Check, inSlice, isNear } from '../check.ts'

/** The entry that each of the rows causes if `when` is true. All texts are SQL on these rows. */
type Cause = {
  readonly rows: string
  readonly when?: string
  readonly subject?: string
  readonly booking: string
  /** The name of the entry, if it differs from the name of the booking. */
  readonly step?: string
  /** The accounts that may be debited. `credit` has the accounts that may be credited. */
  readonly debit: string
  readonly credit: string
  readonly currency?: string
  /** The amount of the entry. Unset if the rows do not state it. A row with a zero amount has no entry. */
  readonly amount?: string
  readonly at?: string
}

const one = (account: string) => `array['${account}']`
const rail = (channel: string) => `array['rail:' || ${channel}]`
const named = (step: string) => `'${step}'`

const ofOrder = (table: string, alias: string) =>
  `slice_orders o join ${table} ${alias} on ${alias}.mer_no = o.mer_no and ${alias}.trade_no = o.trade_no
    and ${inSlice(`${alias}.mer_no`, `${alias}.trade_no`)}`
const paidThrough = (rows: string) =>
  `${rows} join paid_attempts a on a.mer_no = o.mer_no and a.trade_no = o.trade_no`

const payments = paidThrough('slice_orders o')
const refunds = paidThrough(ofOrder('refunds', 'r'))
const chargebacks = paidThrough(ofOrder('chargebacks', 'c'))
const payouts = ofOrder('payouts', 'p')
const suspense = '(select *, coalesce(trade_no, suspense_id) as subject from suspense) o'

/** The available balance, or the exchange account if the order settles in another currency. */
const available = `array[case when o.is_foreign then '${EXCHANGE}' else '${AVAILABLE}' end]`
/** The accounts that may hold the merchant's part: unsettled before the settlement, `available` after it. */
const home = `array['${UNSETTLED}', case when o.is_foreign then '${EXCHANGE}' else '${AVAILABLE}' end]`

/** Returns the causes of a step. A second entry converts the money if the order settles in another currency. */
const moved = ({ step, ...cause }: Cause): Cause[] => [
  { ...cause, ...(step === undefined ? {} : { step }) },
  {
    rows: cause.rows,
    when: `${cause.when ?? 'true'} and o.is_foreign`,
    booking: `${cause.booking} || ':exchanged'`,
    step: `${step ?? cause.booking} || ':exchanged'`,
    debit: one(EXCHANGE),
    credit: one(AVAILABLE),
    currency: 'o.settle_currency',
    ...(cause.at === undefined ? {} : { at: cause.at }),
  },
]

const causes: readonly Cause[] = [
  ...paymentCauses(),
  ...refundCauses(),
  ...chargebackCauses(),
  ...payoutCauses(),
  {
    rows: suspense,
    when: "o.origin <> 'split'",
    subject: 'o.subject',
    booking: "'suspense:' || o.suspense_id",
    debit: rail('o.channel'),
    credit: one(SUSPENSE),
    amount: 'o.amount',
    at: 'o.booked_at',
  },
  {
    rows: suspense,
    when: "o.state in ('returned', 'assigned', 'withdrawn')",
    subject: 'o.subject',
    booking: "'suspense-returned:' || o.suspense_id",
    debit: one(SUSPENSE),
    credit: rail('o.channel'),
    amount: 'o.amount',
    at: 'o.decided_at',
  },
]

function paymentCauses(): Cause[] {
  const paid = { rows: payments, when: 'o.is_paid', booking: named('payment'), at: 'o.decided_at' }
  const fromUnsettled = { ...paid, debit: one(UNSETTLED) }
  const source = `array[case when a.review = 'approved' then '${REVIEW}' when a.was_accepted then '${SUSPENSE}'
    else 'rail:' || a.channel end]`
  const review = { rows: payments, booking: named('review'), amount: 'o.amount' }
  return [
    { ...paid, debit: source, credit: one(UNSETTLED), amount: 'o.paid' },
    { ...fromUnsettled, step: named('handling-fee'), credit: one(FEES), amount: 'o.handling_fee' },
    { ...fromUnsettled, step: named('processing-fee'), credit: one(FEES), amount: 'o.processing_fee' },
    { ...fromUnsettled, step: named('margin'), credit: one(MARGIN), amount: 'o.margin' },
    ...moved({
      rows: payments,
      when: 'o.settled_at is not null',
      booking: named('settle'),
      debit: one(UNSETTLED),
      credit: available,
      at: 'o.settled_at',
    }),
    ...moved({
      rows: payments,
      when: 'o.margin_released_at is not null',
      booking: named('margin-release'),
      debit: one(MARGIN),
      credit: available,
      at: 'o.margin_released_at',
    }),
    {
      ...review,
      when: "o.state in (24, 25) or a.review in ('approved', 'rejected')",
      debit: rail('a.channel'),
      credit: one(REVIEW),
      // A compact attempt has no known time: it is stored in its order's row, which has only the time of the last
      // decision.
      at: 'case when o.attempt_state is null then a.decided_at end',
    },
    {
      ...review,
      when: "a.review = 'rejected'",
      booking: named('review-returned'),
      debit: one(REVIEW),
      credit: rail('a.channel'),
      at: 'o.decided_at',
    },
  ]
}

function refundCauses(): Cause[] {
  const taken = { rows: refunds, booking: "'refund:' || r.refund_no", at: 'r.created_at' }
  const failed = {
    rows: refunds,
    when: "r.state = 'failed'",
    booking: "'refund-failed:' || r.refund_no",
    at: 'r.decided_at',
  }
  const returned = {
    rows: refunds,
    when: "r.state = 'returned'",
    booking: "'refund-returned:' || r.refund_no",
    at: 'r.decided_at',
  }
  const cost = 'r.amount - coalesce(r.returned_amount, r.amount)'
  const margin = (cause: Pick<Cause, 'rows' | 'when' | 'booking' | 'at'>) =>
    moved({ ...cause, step: `${cause.booking} || ':margin'`, debit: one(MARGIN), credit: home })
  const fee = (cause: Pick<Cause, 'rows' | 'when' | 'booking' | 'at'>, debit: string, credit: string) =>
    moved({
      ...cause,
      step: `${cause.booking} || ':fee'`,
      debit,
      credit,
      amount: 'r.refund_fee',
    })
  return [
    ...margin(taken),
    ...moved({ ...taken, debit: home, credit: one(REFUNDS_IN_FLIGHT), amount: 'r.amount' }),
    ...fee(taken, home, one(FEES)),
    {
      rows: refunds,
      when: "r.state in ('succeeded', 'returned')",
      booking: "'refund-paid:' || r.refund_no",
      debit: one(REFUNDS_IN_FLIGHT),
      credit: rail('a.channel'),
      amount: 'r.amount',
      at: "case when r.state = 'succeeded' then r.decided_at end",
    },
    ...moved({ ...failed, debit: one(REFUNDS_IN_FLIGHT), credit: home, amount: 'r.amount' }),
    ...fee(failed, one(FEES), home),
    ...margin(failed),
    ...moved({ ...returned, debit: rail('a.channel'), credit: home, amount: 'r.amount' }),
    ...margin(returned),
    ...moved({
      ...returned,
      step: "'return-cost:' || r.refund_no",
      debit: home,
      credit: one(RETURN_COSTS),
      amount: cost,
    }),
    {
      ...returned,
      step: "'return-kept:' || r.refund_no",
      debit: one(RETURN_COSTS),
      credit: rail('a.channel'),
      amount: cost,
    },
  ]
}

function chargebackCauses(): Cause[] {
  const taken = {
    rows: chargebacks,
    when: "c.state in ('open', 'won', 'lost')",
    booking: "'chargeback:' || c.chargeback_id",
    at: 'c.opened_at',
  }
  const won = {
    rows: chargebacks,
    when: "c.state = 'won'",
    booking: "'chargeback-won:' || c.chargeback_id",
    at: 'c.resolved_at',
  }
  const part = (name: string, debit: string) =>
    moved({ ...taken, step: `${taken.booking} || ':${name}'`, debit, credit: one(DISPUTED) })
  const back = (name: string, credit: string) =>
    moved({ ...won, step: `${won.booking} || ':${name}'`, debit: one(DISPUTED), credit })
  return [
    ...part('remainder', one(UNSETTLED)),
    ...part('available', available),
    ...part('margin', one(MARGIN)),
    ...part('below', available),
    { ...taken, debit: one(DISPUTED), credit: rail('a.channel'), amount: 'c.amount' },
    {
      ...taken,
      step: `${taken.booking} || ':fee'`,
      debit: one(DISPUTED),
      credit: one(FEES),
      amount: 'c.fee',
    },
    { ...won, debit: rail('a.channel'), credit: one(DISPUTED), amount: 'c.amount' },
    ...back('available', available),
    ...back('remainder', one(UNSETTLED)),
  ]
}

function payoutCauses(): Cause[] {
  const total = 'o.amount + p.fee'
  const isForeign = 'p.funding_rate is not null'
  const home = `array[case when ${isForeign} then '${EXCHANGE}' else '${AVAILABLE}' end]`
  const funding = { currency: 'p.funding_currency', amount: 'p.funding_amount' }
  const taken = { rows: payouts, at: 'o.created_at' }
  const sent = {
    rows: payouts,
    when: "p.state in ('succeeded', 'returned')",
    booking: named('payout:sent'),
    // If a payout was never recorded as succeeded before its money came back, its history has no time of success.
    at: `case when p.state = 'succeeded' then o.decided_at else coalesce((
      select max(e.at) from order_events e
      where e.mer_no = o.mer_no and e.trade_no = o.trade_no and e.to_state = ${State.succeeded}), o.decided_at) end`,
  }
  const failed = { rows: payouts, when: "p.state = 'failed'", at: 'o.decided_at' }
  const back = {
    rows: payouts,
    when: "p.state = 'returned'",
    booking: named('payout:came-back'),
    at: 'o.decided_at',
  }
  const bought = {
    ...back,
    when: `${back.when} and ${isForeign}`,
    booking: named('payout:came-back:bought'),
    currency: 'p.funding_currency',
  }
  const cost = 'o.amount - coalesce(p.returned_amount, o.amount)'
  return [
    { ...taken, booking: named('payout'), debit: home, credit: one(PAYOUTS_IN_FLIGHT), amount: total },
    {
      ...taken,
      ...funding,
      when: isForeign,
      booking: named('payout:sold'),
      debit: one(AVAILABLE),
      credit: one(EXCHANGE),
    },
    { ...sent, debit: one(PAYOUTS_IN_FLIGHT), credit: rail('p.rail'), amount: 'o.amount' },
    { ...sent, step: named('payout:fee'), debit: one(PAYOUTS_IN_FLIGHT), credit: one(FEES), amount: 'p.fee' },
    {
      ...failed,
      booking: named('payout:returned'),
      debit: one(PAYOUTS_IN_FLIGHT),
      credit: home,
      amount: total,
    },
    {
      ...failed,
      ...funding,
      when: `${failed.when} and ${isForeign}`,
      booking: named('payout:bought-back'),
      debit: one(EXCHANGE),
      credit: one(AVAILABLE),
    },
    { ...back, debit: rail('p.rail'), credit: home, amount: 'o.amount' },
    { ...back, step: named('return-cost'), debit: home, credit: one(RETURN_COSTS), amount: cost },
    { ...back, step: named('return-kept'), debit: one(RETURN_COSTS), credit: rail('p.rail'), amount: cost },
    { ...bought, debit: one(EXCHANGE), credit: one(AVAILABLE) },
    { ...bought, step: named('return-cost:sold'), debit: one(AVAILABLE), credit: one(EXCHANGE) },
  ]
}

/** Selects all causes of the same rows, so that the rows are read once. */
function selectOf([rows, own]: readonly [string, readonly Cause[]]): string {
  const slice = rows === suspense ? inSlice('o.mer_no', 'o.subject') : 'true'
  return `
    select o.mer_no, cause.* from ${rows} cross join lateral (${own.map(columnsOf).join(' union all ')}) cause where ${slice}`
}

function columnsOf(cause: Cause): string {
  const { subject = 'o.trade_no', booking, step = booking, debit, credit } = cause
  const { when = 'true', currency = 'o.currency', amount = 'null::bigint', at = 'null::timestamptz' } = cause
  return `
    select ${subject} as subject, ${booking} as booking, ${step} as step, ${debit}::text[] as debits,
      ${credit}::text[] as credits, ${currency} as currency, ${amount} as amount, ${at} as at
    where (${when}) and coalesce(${amount} <> 0, true)`
}

/** True if the entry fits the cause. An amount that the rows do not state may be negative, which swaps the accounts. */
const fits = `(e.debit = any (c.debits) and e.credit = any (c.credits)
    or c.amount is null and e.credit = any (c.debits) and e.debit = any (c.credits))
  and e.currency = c.currency and e.amount = coalesce(c.amount, e.amount) 
  and coalesce(${isNear('e.at', 'c.at')}, true)`

/**
 * True for the opening balances of a merchant: entries of exactly these amounts. A demo merchant may have them at any
 * time, and in an older database under another subject. Any other merchant has opening balances in a sandbox only,
 * booked at the time at which the merchant was created.
 */
const isOpening = `step = '${OPENING.step}' || e.currency
  and e.debit = '${OPENING.debit}' and e.credit = '${OPENING.credit}'
  and (e.currency, e.amount) in (values ${openingBalances.map(({ amount, currency }) => `('${currency}', ${amount})`).join(', ')})
  and (mer_no in (select mer_no from demo_merchants) and subject in ('demo', '${OPENING.subject}')
    or subject = '${OPENING.subject}' and exists (select from database_mode where mode = 'sandbox')
      and e.at = (select m.created_at from merchants m where m.mer_no = e.mer_no))`
/** True for the entries of a migration, which book rounding differences. */
const isMigration = `subject = 'migration-0018'`
const isCorrection = `subject >= 'K' and subject < 'L' and booking = '${CORRECTION}' and step = booking`

export const causeChecks: readonly Check[] = [
  {
    name: 'entry-cause',
    rule: 'Every entry was caused by a row, with its accounts, amount and time, and every cause has its entry',
    text: `
      select mer_no, subject,
        case when e.debit is null then 'no entry ' || step
          else format('%s: %s %s, %s to %s, at %s', step, e.amount, e.currency, e.debit, e.credit, e.at) end as found,
        case when c.debits is null then 'no such entry: no row caused it'
          else concat_ws(' ', step || ':', c.amount, c.currency || ',', array_to_string(c.debits, ' or '), 'to',
            array_to_string(c.credits, ' or ') || ',', 'at ' || c.at) end as expected
      from slice_entries e full join slice_causes c using (mer_no, subject, booking, step)
      where subject not in (select trade_no from slice_orders where is_rescaled) and case
        when e.debit is null then c.amount is not null
        when c.debits is null then not ((${isOpening}) or (${isCorrection}) or ${isMigration})
        else not (${fits})
      end`,
  },
]

/** The causes of a slice as a table, for the query that checks the slice. */
export const sliceCauses = `
  paid_attempts as materialized (
    select a.mer_no, a.trade_no, max(a.channel) as channel, max(a.attempt_no) as attempt_no,
      max(a.channel_ref) as channel_ref, max(a.decided_at) as decided_at, max(v.state) as review,
      count(s.trade_no) > 0 as was_accepted
    from slice_attempts a
    left join (
      select mer_no, trade_no, state from reviews where ${inSlice('mer_no', 'trade_no')}
    ) v using (mer_no, trade_no)
    left join (
      select distinct mer_no, trade_no from suspense where ${inSlice('mer_no', 'trade_no')} and state = 'accepted'
    ) s using (mer_no, trade_no)
    where a.state = 'succeeded' group by a.mer_no, a.trade_no
  ),
  slice_causes as materialized (${[...Map.groupBy(causes, ({ rows }) => rows)].map(selectOf).join(' union all ')})`
