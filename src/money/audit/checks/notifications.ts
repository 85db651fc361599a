// Checks the outbox. A notification is written in the transaction of the result that it reports, with the time of the
// result. So every result that has an address has exactly one notification, and every notification has its result.
//
// The notification is optional for two results, because it depends on a setting that the merchant had at that time: for
// a review, and for a chargeback of an order without a `protestNotifyUrl`.

import { MOST_DELIVERIES } from '../../notifications/schedule.ts'
import { State } from '../../orders/order.ts'
import { type Check, inSlice, ownerIn } from '../check.ts'

/** The states of an unpaid order. Only changes from these states are results. Others move a paid order's money. */
const unpaid = `(${[State.processing, State.cancelled, State.informationAsked, State.inReview].join(', ')})`
const ends = `(${[State.succeeded, State.failed, State.cancelled].join(', ')})`
const reviews = `(${[State.informationAsked, State.inReview].join(', ')})`

const resultOfState = `case e.to_state when ${State.succeeded} then '0' when ${State.informationAsked} then '3' else '1' end`

/** Selects the results of a slice. `url` is null if the order does not have the address. */
const results = `
  select o.mer_no, o.trade_no, o.mer_order_no,
    case when o.kind = 'payout' then 'payout' when e.to_state in ${reviews} then 'review' else 'payment' end as event,
    '' as number, e.at, ${resultOfState} as result, o.notify_url as url,
    o.kind = 'payout' or e.to_state in ${ends} as is_due
  from slice_orders o join slice_events e on e.mer_no = o.mer_no and e.trade_no = o.trade_no
  where o.notify_url <> '' and (o.kind = 'payout' or e.from_state in ${unpaid})
  union all
  select o.mer_no, o.trade_no, o.mer_order_no, 'refund', r.refund_no, e.at,
    case e.to_state when 'succeeded' then '0' else '1' end, r.notify_url, true
  from slice_orders o join refunds r on r.mer_no = o.mer_no and r.trade_no = o.trade_no
    and ${inSlice('r.mer_no', 'r.trade_no')}
  cross join lateral (
    select to_state, at from refund_events e
    where e.mer_no = r.mer_no and e.refund_no = r.refund_no and to_state in ('succeeded', 'failed', 'returned') offset 0
  ) e
  where r.notify_url <> ''
  union all
  select o.mer_no, o.trade_no, o.mer_order_no, 'chargeback', '', stage.at, stage.result,
    nullif(o.protest_notify_url, ''), o.protest_notify_url <> ''
  from slice_orders o join chargebacks c on c.mer_no = o.mer_no and c.trade_no = o.trade_no
    and ${inSlice('c.mer_no', 'c.trade_no')}
  cross join lateral (
    values (c.opened_at, '1'), (c.resolved_at, case c.state when 'won' then '2' when 'lost' then '3' end)
  ) stage (at, result)
  where c.state in ('open', 'won', 'lost') and stage.at is not null`

/** The upper bound for a due time. The longest wait is about two hours. The rest is tolerance for wrong clocks. */
const MOST_AHEAD = "interval '1 day'"

const hasSettled = `(n.attempts = 1 and n.acked_attempt is not distinct from 1 and n.round_start = 0)`
/** The last attempt that certainly has a result. A later attempt may be in progress, even after an acknowledgement. */
const ended = `case when n.delivered_at is not null then coalesce(n.acked_attempt, 0)
  when n.leased_until is not null then n.attempts - 1 else n.attempts end`

/** True if the notification was acknowledged, is not due, and has no attempt in progress. */
const rests = '(n.due_at is null and n.leased_until is null and n.acked_attempt is not null)'
/** True if a new round of deliveries has begun, but is neither due nor in progress. */
const isUntried = '(n.due_at is null and n.leased_until is null and n.attempts = n.round_start)'

export const notificationChecks: readonly Check[] = [
  {
    name: 'notification-result',
    rule: 'Every result of an order, refund or chargeback that has an address has one notification, with its code, numbers and address, and every notification has its result',
    text: `
      with results as materialized (
        select mer_no, trade_no, event, number, at, result, min(mer_order_no) as mer_order_no, min(url) as url,
          count(*) as most, count(*) filter (where is_due) as least
        from (${results}) results group by mer_no, trade_no, event, number, at, result
      ), made as (
        select mer_no, trade_no, event,
          case event when 'refund' then coalesce(fields ->> 'refundNo', '') else '' end as number, made_at as at,
          coalesce(fields ->> 'code', fields ->> 'state', '') as result, count(*) as times,
          min(notification_id) as notification_id, min(url) as url,
          min(concat_ws(' ', fields ->> 'tradeNo', fields ->> 'merOrderNo')) as numbers
        from slice_notifications group by mer_no, trade_no, event, 4, made_at, 6
      )
      select mer_no, trade_no as subject,
        format('%s of %s at %s with %s to %s: %s', coalesce(m.times, 0), concat_ws(' ', event, number), at, result, m.url,
          m.numbers) as found,
        case when r.event is null then format('no such result, %s', m.notification_id)
          else format('%s to %s: %s %s', r.most, r.url, trade_no, r.mer_order_no) end as expected
      from results r full join made m using (mer_no, trade_no, event, number, at, result)
      where case when r.event is null then true when m.times is null then r.least > 0
        else m.times not between r.least and r.most or m.url <> coalesce(r.url, m.url)
          or m.numbers <> concat_ws(' ', trade_no, r.mer_order_no) end`,
  },
  {
    name: 'notification-attempts',
    rule: 'A notification counts each of its attempts once, each with the status of its answer, and is delivered exactly if an attempt was acknowledged; a refused attempt has left its body',
    text: `
      select n.mer_no, n.trade_no as subject,
        format('%s: %s attempts, %s recorded, the last %s, %s', n.notification_id, n.attempts, a.recorded, a.last,
          case when n.delivered_at is null then 'not delivered' else 'delivered' end) as found,
        format('attempts 1 to %s, %s', ${ended}, case when a.is_acked then 'acknowledged' else 'not acknowledged' end)
          as expected
      from slice_notifications n cross join lateral (
        select count(distinct no) filter (where no between 1 and ${ended}) as recorded, coalesce(max(no), 0) as last,
          coalesce(bool_or(is_ack), false) as is_acked, bool_or(is_wrong) as is_wrong,
          coalesce(bool_or(is_reaped), false) as is_reaped, max(finished_at) as ended_at,
          coalesce(bool_or(is_refused), false) as is_refused
        from (
          select attempt_no as no, error is null and status between 200 and 299 as is_ack,
            error like 'answered %' and substring(error from '\\d+')::int is distinct from status
              or attempt_no = n.acked_attempt and status is not null as is_wrong,
            attempt_no = n.acked_attempt as is_reaped, finished_at, error is not null and status is not null as is_refused
          from notification_attempts a where a.mer_no = n.mer_no and a.notification_id = n.notification_id
          union all
          select n.acked_attempt, true, false, false, null, false where n.acked_attempt is not null
        ) attempts
      ) a
      where not ${hasSettled} and (a.is_wrong or a.recorded <> ${ended} and (n.delivered_at is null or n.acked_attempt is not null)
        or a.last > n.attempts or ${isUntried} or a.is_refused and coalesce(n.body, '') = ''
        or n.attempts > a.last and not a.is_reaped and ${rests}
        or n.failed_at is not null and (n.failed_at > a.ended_at + ${MOST_AHEAD} or n.attempts - n.round_start <> ${MOST_DELIVERIES})
        or a.is_acked <> (n.delivered_at is not null))`,
  },
  {
    name: 'notification-state',
    rule: 'A notification names its merchant, and waits, was delivered or was given up; it waits no longer than the schedule says, and its body is that of its order',
    text: `
      select mer_no, trade_no as subject,
        format('%s: due %s, leased until %s, delivered %s, given up %s, acknowledged %s %s %s, body %s', notification_id,
          due_at, leased_until, delivered_at, failed_at, acked_left_at, acked_status, acked_answer, left(body, 100))
          as found,
        'one state, due within a day' as expected
      from (
        select *, min(queued_at) over (partition by mer_no, trade_no) as first_at from slice_notifications
      ) n
      where delivered_at is not null and failed_at is not null or failed_at is not null and due_at is not null
        or num_nulls(acked_attempt, acked_left_at, acked_status, acked_latency_ms, acked_answer) not in (0, 5)
        or acked_attempt is not null and (delivered_at is null or acked_status not between 200 and 299
          or upper(btrim(acked_answer, E' \\t\\r\\n')) <> 'SUCCESS'
          or delivered_at not between acked_left_at - ${MOST_AHEAD} and acked_left_at + ${MOST_AHEAD})
        or greatest(due_at, leased_until) > greatest(now(), made_at, queued_at) + ${MOST_AHEAD}
        or queued_at > now() + ${MOST_AHEAD}
        or body <> '' and position(trade_no in body) = 0 or ${ownerIn('notification_id')} <> mer_no
        or first_of_order and queued_at > first_at`,
  },
]

/**
 * The notifications of a slice's orders. The array of trade numbers makes the planner use the index by order, because
 * the key of the table does not contain the order.
 */
export const sliceNotifications = `
  slice_notifications as materialized (
    select mer_no, notification_id, trade_no, event, url, fields, made_at, queued_at, body, due_at, leased_until,
      attempts, round_start, delivered_at, failed_at, first_of_order, stored_in, acked_attempt, acked_left_at, acked_status, acked_latency_ms,
      acked_answer
    from notifications
    where trade_no = any (array(select trade_no from slice_orders)) and ${inSlice('mer_no', 'trade_no')}
  )`
