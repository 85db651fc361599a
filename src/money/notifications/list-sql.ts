import type { Queryable } from '../../platform/postgres/db.ts'
import { hasFailed, isPending, lastEnded, pendingText, retryingText } from './claim-sql.ts'
import {
  LIST_LIMIT,
  type ListedAttempt,
  type ListedNotification,
  type NewNotification,
  type NotificationFilter,
  type NotificationState,
  type WholeNotification,
} from './notification.ts'
import { leaseMs, TIMEOUT_MS } from './schedule.ts'
import type { FailedFilter } from './sql.ts'

/** The SQL for the state. An acknowledged notification is pending again while a resend is scheduled or in progress. */
const stateOf = `case when ${isPending('n')} then case when ${hasFailed('n')} then 'retrying' else 'pending' end
  when n.delivered_at is not null then 'delivered' else 'failed' end`

/** The due time of the attempt in progress, or else of the next attempt. */
const dueAt =
  'case when n.leased_until is not null then coalesce(n.due_at, n.made_at) else n.due_at end as "dueAt"'

/**
 * The result of the last attempt that has ended. Its row is joined as `a`. But the first acknowledged attempt has no
 * row: its result is in the notification's own row.
 */
const lastResult = `case when n.acked_attempt = ${lastEnded('n')} or (a.attempt_no is null and n.due_at is null)
    then n.acked_status else a.status end as status,
  case when n.acked_attempt = ${lastEnded('n')} then null else a.error end as error`

const conditions: Readonly<Record<NotificationState, string>> = {
  pending: `not (${hasFailed('n')})`,
  retrying: hasFailed('n'),
  delivered: 'n.due_at is null and n.delivered_at is not null',
  failed: 'n.failed_at is not null',
}

/** True if all notifications in this state are in the queue, so that the indexes of the queue find them. */
const isQueued = (state: NotificationState | undefined) => state === 'pending' || state === 'retrying'

/** Returns a sort order with an index: by time for all merchants' failed or queued notifications, otherwise by id. */
function orderOf({ merNo, tradeNo, state }: NotificationFilter): string {
  if (merNo === undefined && tradeNo === undefined && state === 'failed') return 'n.failed_at desc'
  if (merNo === undefined && tradeNo === undefined && state === 'pending') return 'n.due_at'
  // Only retrying notifications are due in the future, so they are at the end of the queue.
  if (merNo === undefined && tradeNo === undefined && state === 'retrying') return 'n.due_at desc'
  return 'n.notification_id desc'
}

const columns = `n.mer_no as "merNo", n.notification_id as "notificationId", n.trade_no as "tradeNo", n.event, n.url,
  ${stateOf} as state, n.attempts, n.made_at as "madeAt", ${dueAt},
  n.delivered_at as "deliveredAt", n.failed_at as "failedAt", p.mer_no is not null as paused, ${lastResult}`

const joined = `left join notification_pauses p on p.mer_no = n.mer_no
  left join notification_attempts a on a.mer_no = n.mer_no and a.notification_id = n.notification_id
    and a.attempt_no = ${lastEnded('n')}`

type Row = Omit<ListedNotification, 'merNo'> & { readonly merNo: bigint }

export async function selectNotifications(
  db: Queryable,
  filter: NotificationFilter,
  limit: number,
): Promise<ListedNotification[]> {
  const { merNo, tradeNo, state, event, from, below } = filter
  const values: unknown[] = []
  const given = (condition: string, value: unknown) =>
    value === undefined ? [] : [`${condition} $${values.push(value)}`]
  const where = [
    ...given('n.mer_no =', merNo),
    ...given('n.trade_no =', tradeNo),
    ...given('n.event =', event),
    ...given('n.notification_id >=', from),
    ...given('n.notification_id <', below),
    ...(state === undefined ? [] : [conditions[state]]),
    // With this condition, PostgreSQL can use the partial index of these events.
    ...(event === undefined || event === 'payment' ? [] : [`n.event <> 'payment'`]),
  ]
  const rows = await db.query<Row>({
    text: `
      select ${columns}
      from (
        select n.mer_no, n.notification_id, n.trade_no, n.event, n.url, n.attempts, n.made_at, n.due_at,
          n.leased_until, n.round_start, n.delivered_at, n.failed_at, n.acked_attempt, n.acked_status
        from ${isQueued(state) ? pendingText : 'notifications n'} ${where.length === 0 ? '' : `where ${where.join(' and ')}`}
        order by ${orderOf(filter)} limit ${limit}
      ) n
      ${joined}
      order by n.notification_id desc`,
    values,
  })
  return rows.map((row) => ({ ...row, merNo: Number(row.merNo) }))
}

export async function selectNotification(
  db: Queryable,
  merNo: number,
  notificationId: string,
): Promise<WholeNotification | undefined> {
  const [row] = await db.query<Row & Pick<WholeNotification, 'body'>>({
    text: `
      select ${columns},
        nullif(n.body, '') as body
      from notifications n
      ${joined}
      where n.mer_no = $1 and n.notification_id = $2`,
    values: [merNo, notificationId],
  })
  return row && { ...row, merNo }
}

/** Returns the latest attempts. The attempt in progress and the first acknowledged attempt are in the notification. */
export function selectAttempts(
  db: Queryable,
  merNo: number,
  notificationId: string,
): Promise<ListedAttempt[]> {
  return db.query<ListedAttempt>({
    text: `
      with n as (select * from notifications where mer_no = $1 and notification_id = $2)
      select attempt_no as "attemptNo", started_at as "startedAt", finished_at as "finishedAt", status,
        latency_ms as "latencyMs", answer, error
      from notification_attempts
      where mer_no = $1 and notification_id = $2
        and attempt_no is distinct from (select acked_attempt from n)
      union all
      select acked_attempt, acked_left_at, delivered_at, acked_status, acked_latency_ms, acked_answer, null
      from n where acked_attempt is not null
      union all
      select attempts, leased_until - ${leaseMs(TIMEOUT_MS)} * interval '1 millisecond', null, null, null, null, null
      from n where leased_until is not null and not exists (
        select from notification_attempts a
        where a.mer_no = $1 and a.notification_id = $2 and a.attempt_no = n.attempts)
      order by 1 desc limit ${LIST_LIMIT}`,
    values: [merNo, notificationId],
  })
}

const selectNew = `
  select notification_id as "notificationId", trade_no as "tradeNo", event, fields, body, queued_at as "queuedAt"
  from notifications where mer_no = $1`

export function selectAfter(db: Queryable, merNo: number, id: string): Promise<NewNotification[]> {
  return db.query<NewNotification>({
    text: `
      ${selectNew} and notification_id > $2
      order by notification_id limit ${LIST_LIMIT}`,
    values: [merNo, id],
  })
}

export function selectOfOrder(db: Queryable, merNo: number, tradeNo: string): Promise<NewNotification[]> {
  return db.query<NewNotification>({
    text: `
      ${selectNew} and trade_no = $2
      order by queued_at limit ${LIST_LIMIT}`,
    values: [merNo, tradeNo],
  })
}

/** Counts retrying notifications whose last attempt failed at `since` or later, up to `limit`. */
export async function selectRetryingCount(
  db: Queryable,
  { merNo, since }: FailedFilter,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ retrying: number }>({
    text: `select count(*)::int as retrying from (${retryingText()} limit $3) as found`,
    values: [since, merNo ?? null, limit],
  })
  return row?.retrying ?? 0
}

export async function selectFailedCount(
  db: Queryable,
  { merNo, since }: FailedFilter,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ failed: number }>({
    text: `select count(*)::int as failed from (
      select 1 from notifications where failed_at >= $1 and ($2::bigint is null or mer_no = $2) limit $3) as found`,
    values: [since, merNo ?? null, limit],
  })
  return row?.failed ?? 0
}
