import type { Db } from '../postgres/db.ts'
import { given, int4, int8, text, time } from '../postgres/lists.ts'
import type { AttemptKey } from './claim-sql.ts'

export type AttemptResult = AttemptKey & {
  readonly leftAt: Date
  readonly finishedAt: Date
  readonly status: number | undefined
  readonly latencyMs: number
  /** The first kilobyte. */
  readonly answer: string
  /** Undefined when it was acknowledged. */
  readonly error: string | undefined
  /** What was sent, where it is not kept yet and is needed again. */
  readonly body: string | undefined
  readonly nextDueAt: Date | undefined
}

/**
 * A resend that came while the attempt was under way began a new round: the schedule is then its own. An acknowledgement
 * counts even if the attempt was given up as dead meanwhile.
 */
export function recordResults(db: Db, results: readonly AttemptResult[]): Promise<void> {
  const statements = rounds(results).map((round) => {
    return { name: 'notifications.record', text: recordText, values: ended.values(round) }
  })
  return db.atOnce(statements, { byKey: true })
}

/**
 * One result per notification in each, nearly always all in one: an attempt that outlived its lease may end together with the
 * one after it, and an update takes only one of several rows that match.
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

const ended = given<AttemptResult>({
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

const recordText = `
  with r as materialized (
    select mer_no, notification_id, attempt_no, round_start, started_at, finished_at, status, latency_ms, answer,
      error, body, next_due_at
    from ${ended.text}
  ), noted as (
    update notification_attempts a set started_at = r.started_at, finished_at = r.finished_at, status = r.status,
      latency_ms = r.latency_ms, answer = r.answer, error = r.error
    from r where a.mer_no = r.mer_no and a.notification_id = r.notification_id and a.attempt_no = r.attempt_no
  )
  update notifications n set
    body = coalesce(n.body, r.body),
    leased_until = case
      when n.attempts = r.attempt_no or (r.error is null and n.round_start = r.round_start) then null
      else n.leased_until end,
    due_at = case
      when n.due_at is null then null
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
      else n.failed_at end
  from r where n.mer_no = r.mer_no and n.notification_id = r.notification_id`
