// Records results of attempts, and resends notifications. Owns notification_resends.
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { int4, int8, listOf, text, time } from '../../platform/postgres/lists.ts'
import { type AttemptKey, inLockOrder, isPending, retryingText, waitsForRetry } from './claim-sql.ts'
import type { NotificationEvent } from './notification.ts'

export type AttemptResult = AttemptKey & {
  readonly leftAt: Date
  readonly finishedAt: Date
  readonly status: number | undefined
  readonly latencyMs: number
  readonly answer: string
  /** The reason of the failure, or undefined if the notification was acknowledged. */
  readonly error: string | undefined
  /** The body, if it is not stored yet and is needed again. */
  readonly body: string | undefined
  readonly nextDueAt: Date | undefined
}

/**
 * Records the results and the times of the next deliveries. If a resend began a new round during the attempt, the new
 * round keeps its own schedule. An acknowledgement counts even if the attempt was already ended as an attempt of a dead
 * worker. Two nodes may record results of the same notifications, so notifications are locked in a fixed order.
 */
export function recordResults(db: Db, results: readonly AttemptResult[]): Promise<void> {
  const statements = rounds(inLockOrder(results)).map((round) => {
    return { name: 'notifications.record', text: recordText, values: ended.values(round) }
  })
  return db.atOnce(statements, { byKey: true })
}

/**
 * Splits results into parts that contain each notification once, because an update applies only one of several matching
 * rows. There is nearly always only one part. A second part is needed if an attempt outlives its lease and ends
 * together with the next attempt.
 */
function rounds(results: readonly AttemptResult[]): AttemptResult[][] {
  const seen = new Set<string>()
  const first: AttemptResult[] = []
  const others: AttemptResult[] = []
  for (const result of results) {
    const known = seen.size
    seen.add(result.notificationId)
    if (seen.size > known) first.push(result)
    else others.push(result)
  }
  return others.length === 0 ? [first] : [first, ...rounds(others)]
}

const ended = listOf<AttemptResult>({
  mer_no: int8((one) => one.merNo),
  notification_id: text((one) => one.notificationId),
  attempt_no: int4((one) => one.attemptNo),
  round_start: int4((one) => one.roundStart),
  started_at: time((one) => one.leftAt),
  finished_at: time((one) => one.finishedAt),
  status: int4((one) => one.status),
  latency_ms: int4((one) => one.latencyMs),
  answer: text((one) => (one.answer === '' ? undefined : one.answer)),
  error: text((one) => one.error),
  body: text((one) => one.body),
  next_due_at: time((one) => one.nextDueAt),
})

const isFirstAck = 'r.error is null and n.delivered_at is null'

// The first acknowledged attempt has no row of its own: its result is stored in the notification.
const recordText = `
  with r as materialized (
    select mer_no, notification_id, attempt_no, round_start, started_at, finished_at, status, latency_ms, answer,
      error, body, next_due_at
    from ${ended.text}
  ), recorded as (
    update notifications n set
      body = coalesce(nullif(n.body, ''), r.body),
      leased_until = case
        when n.attempts = r.attempt_no or (r.error is null and n.round_start = r.round_start) then null
        else n.leased_until end,
      due_at = case
        when not (${isPending('n')}) then null
        when n.round_start <> r.round_start then n.due_at
        when r.error is null then null
        when n.attempts = r.attempt_no then r.next_due_at
        else n.due_at end,
      parked = n.parked and not (r.error is null and n.round_start = r.round_start),
      delivered_at = case when r.error is null then coalesce(n.delivered_at, r.finished_at) else n.delivered_at end,
      failed_at = case
        when r.error is null then null
        when n.round_start = r.round_start and n.attempts = r.attempt_no and r.next_due_at is null
          and n.delivered_at is null then r.finished_at
        else n.failed_at end,
      acked_attempt = case when ${isFirstAck} then r.attempt_no else n.acked_attempt end,
      acked_left_at = case when ${isFirstAck} then r.started_at else n.acked_left_at end,
      acked_status = case when ${isFirstAck} then r.status else n.acked_status end,
      acked_latency_ms = case when ${isFirstAck} then r.latency_ms else n.acked_latency_ms end,
      acked_answer = case when ${isFirstAck} then r.answer else n.acked_answer end
    from r where n.mer_no = r.mer_no and n.notification_id = r.notification_id
    returning r.mer_no, r.notification_id, r.attempt_no, r.started_at, r.finished_at, r.status, r.latency_ms,
      r.answer, r.error, n.acked_attempt
  )
  insert into notification_attempts
    (mer_no, notification_id, attempt_no, started_at, finished_at, status, latency_ms, answer, error)
  select mer_no, notification_id, attempt_no, started_at, finished_at, status, latency_ms, answer, error
  from recorded where acked_attempt is distinct from attempt_no
  on conflict (mer_no, notification_id, attempt_no) do update set started_at = excluded.started_at,
    finished_at = excluded.finished_at, status = excluded.status, latency_ms = excluded.latency_ms,
    answer = excluded.answer, error = excluded.error`

export type Resent = {
  readonly notificationId: string
  readonly event: NotificationEvent
  readonly url: string
}

type ResendKey = {
  readonly merNo: number
  readonly tradeNo: string
  readonly notificationId: string | undefined
}

export function startRound(db: Queryable, key: ResendKey, now: Date): Promise<Resent[]> {
  return db.query<Resent>({
    text: `
      with locked as (
        select mer_no, notification_id from notifications
        where mer_no = $1 and trade_no = $2 and ($3::text is null or notification_id = $3)
        order by notification_id
        for update
      )
      update notifications n set due_at = $4, round_start = n.attempts, failed_at = null
      from locked where n.mer_no = locked.mer_no and n.notification_id = locked.notification_id
      returning n.notification_id as "notificationId", n.event, n.url`,
    values: [key.merNo, key.tradeNo, key.notificationId ?? null, now],
  })
}

export type FailedFilter = { readonly since: Date; readonly merNo?: number }

type Recovered = {
  /** The number of found notifications. A number below the limit means that there are no others. */
  readonly found: number
  /** The number of found notifications that were still failed or waiting for a retry when their rows were locked. */
  readonly resent: number
}

/** Starts a new round of deliveries for at most `limit` failed and retrying notifications. */
export async function startRoundOfFailed(
  db: Queryable,
  { since, merNo }: FailedFilter,
  now: Date,
  limit: number,
): Promise<Recovered> {
  const [row] = await db.query<Recovered>({
    text: recoverText,
    values: [since, merNo ?? null, now, limit],
  })
  return row ?? { found: 0, resent: 0 }
}

// The upper bound `now` ($3) excludes notifications that fail again while notifications are resent. Workers record
// results of retrying notifications at the same time, so rows are locked in the order of recordResults. Parked
// notifications and notifications with an attempt in progress are left out, because their next attempt comes without
// this request.
const recoverText = `
  with found as (
    (select mer_no, notification_id from notifications
      where failed_at >= $1 and failed_at <= $3 and ($2::bigint is null or mer_no = $2)
      order by failed_at limit $4)
    union all
    (${retryingText('and a.finished_at <= $3')} limit $4)
    limit $4
  ), locked as (
    select n.mer_no, n.notification_id
    from found join notifications n on n.mer_no = found.mer_no and n.notification_id = found.notification_id
    where n.failed_at is not null or ${waitsForRetry}
    order by n.mer_no, n.notification_id
    for update of n
  ), again as (
    update notifications n set due_at = $3, round_start = n.attempts, failed_at = null, parked = true
    from locked where n.mer_no = locked.mer_no and n.notification_id = locked.notification_id
    returning 1
  )
  select (select count(*)::int from found) as found, (select count(*)::int from again) as resent`

type AskedResend = FailedFilter & { readonly askedAt: Date }

/** The merchant number that stands for all merchants. The table's key requires a merchant number. */
const ALL_MERCHANTS = 0

export async function insertResend(tx: Tx, { merNo, askedAt, since }: AskedResend): Promise<void> {
  await tx.query({
    text: `
      insert into notification_resends (mer_no, asked_at, since) values ($1, $2, $3)
      on conflict (mer_no, asked_at) do update set since = least(notification_resends.since, excluded.since)`,
    values: [merNo ?? ALL_MERCHANTS, askedAt, since],
  })
}

/** Locks the oldest request that no other worker has locked. */
export async function lockResend(tx: Tx): Promise<AskedResend | undefined> {
  const [row] = await tx.query<{ mer_no: bigint; asked_at: Date; since: Date }>({
    text: `
      select mer_no, asked_at, since from notification_resends order by asked_at limit 1
      for update skip locked`,
  })
  if (row === undefined) return undefined
  const merNo = Number(row.mer_no)
  return { askedAt: row.asked_at, since: row.since, ...(merNo !== ALL_MERCHANTS && { merNo }) }
}

export async function deleteResend(tx: Tx, { merNo, askedAt }: AskedResend): Promise<void> {
  await tx.query({
    text: 'delete from notification_resends where mer_no = $1 and asked_at = $2',
    values: [merNo ?? ALL_MERCHANTS, askedAt],
  })
}
