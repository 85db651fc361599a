// Checks the disputes that channels reported against the chargebacks that these reports opened, changed or matched.
import { type Check, CLOCK_TOLERANCE, isNear } from '../check.ts'

/** The maximum time until a report about a decided payment is applied. Usually it takes seconds. */
const MOST_WAIT = "interval '1 day'"

/** The stage that the result implies. Null for all other results, such as refusals. */
const stageOfResult = `case
  when d.result ~ '^opened C|, which an operator had opened$' 
    or d.result in ('it is open already', 'its chargeback was lost before') then 'open'
  when d.result ~ '^inquiry C' or d.result = 'it is known already' then 'inquiry'
  when d.result ~ '^won C' or d.result in ('it was won already', 'no money was taken for it') then 'won'
  when d.result ~ '^(lost|opened and lost) C' or d.result = 'it was lost already' then 'lost' end`

/** The time at which the report changed its chargeback. Null if the report changed nothing. */
const appliedAt = `case when d.result ~ '^(opened|opened and lost|inquiry) C' then c.opened_at
  when d.result ~ '^(won|lost) C' then c.resolved_at end`

/** True if the report opened the chargeback, or belongs to a chargeback that an operator had opened. */
const isItsOwn = `(d.result ~ '^(opened|inquiry) ' or d.result ~ ', which an operator had opened$')`

/** True if a callback came from another channel than the paid one. A list may have disputes of other channels. */
const isOfOtherChannel = `d.by_callback and c.chargeback_id is not null and d.channel <> (
  select a.channel from attempts a
  where a.mer_no = c.mer_no and a.trade_no = c.trade_no and starts_with(d.reference, 'A' || substr(a.trade_no, 2))
    and a.attempt_no::text = substr(d.reference, 28) limit 1)`
/**
 * True if another report, earlier by more than CLOCK_TOLERANCE, gave the dispute a chargeback or an inquiry. A report
 * that differs from an operator's chargeback names this chargeback, but does not give it to the dispute.
 */
const wasKnown = `exists (
  select from channel_disputes earlier
  where earlier.channel = d.channel and earlier.dispute_ref = d.dispute_ref and earlier.chargeback_id is not null
    and not starts_with(earlier.result, 'differs') and earlier.taken_at < d.taken_at - ${CLOCK_TOLERANCE} offset 0)`

export const disputeChecks: readonly Check[] = [
  {
    name: 'dispute-applied',
    rule: 'A reported dispute has opened, changed or matched the chargeback that it names, of its payment and with its state',
    over: 'platform',
    text: `
      select coalesce(c.mer_no, 0) as mer_no, d.dispute_ref as subject,
        format('%s at %s over %s %s, %s: %s', d.stage, d.reference, d.amount, d.currency,
          case when d.taken_at is null then 'waits' else 'applied' end, d.result) as found,
        coalesce(format('chargeback %s of %s, %s over %s %s', c.chargeback_id, c.trade_no, c.state, c.amount, c.currency),
          'no chargeback') as expected
      from channel_disputes d left join chargebacks c on c.chargeback_id = d.chargeback_id
      where case
        when d.taken_at is null then d.result <> '' or d.chargeback_id is not null
        when d.result = '' or d.stage <> ${stageOfResult} or d.taken_at < d.stored_at - ${MOST_WAIT}
          or d.taken_at > now() + ${CLOCK_TOLERANCE} or ${isOfOtherChannel} then true
        when d.result ~ '^(refused: |a later report came first$)' then false
        when d.chargeback_id is null then d.result <> 'no money was taken for it' or ${wasKnown}
        else coalesce(not starts_with(d.reference, 'A' || substr(c.trade_no, 2))
          or d.result ~ '\\mC[0-9A-Z]{26}\\M' and position(c.chargeback_id in d.result) = 0
          or ${isItsOwn} and (c.amount, c.currency) <> (d.amount, d.currency)
          or not starts_with(d.result, 'differs') and (c.dispute_ref is distinct from d.dispute_ref or case d.stage
            when 'open' then c.state not in ('open', 'won', 'lost')
            when 'won' then c.state not in ('won', 'closed')
            when 'lost' then c.state <> 'lost'
            else false end)
          or coalesce(not ${isNear('d.taken_at', appliedAt)}, false), true)
        end`,
  },
  {
    name: 'dispute-once',
    rule: 'A chargeback or an inquiry is opened by one report of its dispute, and ended by one',
    over: 'platform',
    text: `
      select coalesce(c.mer_no, 0) as mer_no, d.dispute_ref as subject, format('%s reports: %s', d.reports, d.result) as found,
        'one' as expected
      from (
        select dispute_ref, result, chargeback_id, count(*) as reports from channel_disputes
        where result ~ '^(opened|opened and lost|inquiry|won|lost) C[0-9A-Z]{26}$'
        group by dispute_ref, result, chargeback_id having count(*) > 1
      ) d left join chargebacks c on c.chargeback_id = d.chargeback_id`,
  },
  {
    name: 'dispute-waits',
    rule: 'A reported dispute of a decided payment is applied before disputes that are reported a day later',
    over: 'platform',
    text: `
      select o.mer_no, o.trade_no as subject, format('%s %s waits since %s', d.stage, d.dispute_ref, d.stored_at) as found,
        'applied' as expected
      from (
        select * from channel_disputes
        where taken_at is null and stored_at < (select max(taken_at) from channel_disputes) - ${MOST_WAIT}
      ) d join lateral (
        select mer_no, trade_no from orders
        where kind = 'payment' and trade_no = 'T' || substr(d.reference, 2, 26) and state <> 1
          and decided_at < (select max(taken_at) from channel_disputes) - ${MOST_WAIT} limit 1
      ) o on true`,
  },
  {
    name: 'dispute-reported',
    rule: 'A chargeback that has the id of a dispute was opened, or recognised, by a report of that dispute',
    over: 'platform',
    text: `
      select c.mer_no, c.trade_no as subject, format('chargeback %s of dispute %s', c.chargeback_id, c.dispute_ref) as found,
        'a report that names it' as expected
      from chargebacks c left join (
        select distinct chargeback_id, dispute_ref from channel_disputes where taken_at is not null
      ) d on d.chargeback_id = c.chargeback_id and d.dispute_ref = c.dispute_ref
      where c.dispute_ref is not null and d.dispute_ref is null`,
  },
]
