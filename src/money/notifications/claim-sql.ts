// Operates the queue of notifications: claims due notifications, parks notifications of slow merchants, puts back
// notifications that were not sent, ends attempts of dead workers, counts an attempt of notifications that waited too
// long for a slot, and counts overdue and stuck notifications.
//
// A notification is pending while it has a due time or a lease. A notification that was handed over to a worker has
// only a lease until the sweep sets its due time. Nearly all of these notifications are acknowledged before the sweep,
// and never enter the index of due notifications.
import type { Db, Queryable } from '../../platform/postgres/db.ts'
import { arrayOf, int4, int8, itself, listOf, text } from '../../platform/postgres/lists.ts'
import type { SweptTable } from '../../platform/postgres/sweep.ts'
import type { Fields, NotificationEvent } from './notification.ts'

/** The condition that a notification is pending. The row must be found by its key, not by this condition. */
export function isPending(row: string): string {
  return `${row}.due_at is not null or ${row}.leased_until is not null`
}

/** The SQL for the number of the last attempt that has ended. `attempts` also counts an attempt in progress. */
export function lastEnded(row: string): string {
  return `(${row}.attempts - (${row}.leased_until is not null)::int)`
}

/**
 * The condition that a pending notification is retrying: an attempt has failed, and another attempt follows. If the
 * notification was acknowledged once, only failures of its current round count.
 */
export function hasFailed(row: string): string {
  return `${lastEnded(row)} > case when ${row}.delivered_at is null then 0 else ${row}.round_start end`
}

/**
 * The sweep of notifications that were handed over. The sweep sets the due time of a notification to its `made_at`.
 * After the sweep, the row looks like a row that a worker has claimed.
 */
export const sweptNotifications: SweptTable = {
  table: 'notifications',
  key: ['mer_no', 'notification_id'],
  storedIn: 'stored_in',
  waits: 'due_at is null and leased_until is not null',
  due: 'due_at = made_at',
}

/** All pending notifications, as a table. Each part has its own index. */
export const pendingText = `(
  select * from notifications where due_at is not null and not parked
  union all
  select * from notifications where parked
  union all
  select * from notifications_not_swept()) as n`

/** The condition that a notification waits for a retry, is not parked, and has no attempt in progress. */
export const waitsForRetry =
  'n.due_at is not null and not n.parked and n.leased_until is null and n.attempts > n.round_start'

/**
 * Selects the notifications of merchant $2, or of all merchants, that wait for a retry, and whose last attempt failed
 * at $1 or later. `until` may add a condition.
 */
export function retryingText(until = ''): string {
  return `
    select n.mer_no, n.notification_id
    from notifications n join notification_attempts a on a.mer_no = n.mer_no
      and a.notification_id = n.notification_id and a.attempt_no = n.attempts
    where ${waitsForRetry} and ($2::bigint is null or n.mer_no = $2)
      and a.error is not null and a.finished_at >= $1 ${until}`
}

export const CLAIM_LIMIT = 500
const LOOK_LIMIT = 4_000
const REAP_LIMIT = 500

export type Claimed = {
  readonly merNo: number
  readonly notificationId: string
  readonly event: NotificationEvent
  readonly url: string
  readonly fields: Fields
  readonly body: string | null
  readonly attemptNo: number
  readonly roundStart: number
  readonly dueAtMs: number
}

/** Makes the planner use the queue's indexes, which contain only rows of the queue. So other rows cost nothing. */
const byIndex = { byKey: true } as const

export type Lease = { readonly now: Date; readonly until: Date }

// An event of an order waits until the first attempt of the order's previous event has ended. `queued_at` is the
// database's clock at the insert, which happens under the order's lock. `made_at` cannot be used here, because the
// clocks of two gateways may differ. `first_of_order` avoids the search for earlier events: nearly all orders have one
// event, and its writer knows that no event came before. If `first_of_order` were wrong, an event could overtake an
// earlier one. So it is set only when an order without a review leaves the state `processing`.
const inItsTurn = `
  (n.first_of_order or not exists (
    select from notifications e
    where e.mer_no = n.mer_no and e.trade_no = n.trade_no and e.queued_at < n.queued_at
      and ((e.attempts = 0 and e.due_at is not null) or (e.attempts = 1 and e.leased_until is not null))))`

// A claim counts the attempt, even if the worker dies later. The row of the attempt is inserted when the attempt ends.
const takeDue = `
  update notifications n set leased_until = $2, attempts = n.attempts + 1, parked = false
  from due where n.ctid = due.ctid
  returning n.mer_no::float8 as "merNo", n.notification_id as "notificationId", n.event, n.url, n.fields, n.body,
    n.attempts as "attemptNo", n.round_start as "roundStart",
    (extract(epoch from n.due_at) * 1000)::float8 as "dueAtMs"`

type ClaimWanted = {
  readonly excluded: readonly number[]
  /** True if the claim may scan any number of rows. Otherwise the claim scans at most LOOK_LIMIT rows. */
  readonly deep?: boolean
}

/** Claims the notifications that have been due longest, except those of excluded and paused merchants. */
export function claimDue(db: Db, lease: Lease, { excluded, deep }: ClaimWanted): Promise<Claimed[]> {
  const values = [lease.now, lease.until, leftOut.value(excluded)]
  return db.query<Claimed>({ ...(deep ? claimDeep : claimShallow), values }, byIndex)
}

const leftOut = arrayOf(int8<number>(itself), 3)

// The inner query runs only until the outer limit is reached. Rows are updated by ctid. If another worker changes a row
// after the scan, the row gets a new ctid, so the update skips it.
const claimText = (scanned: string) => `
  with due as (
    select n.ctid
    from (
      select ctid, mer_no from notifications
      where due_at <= $1 and not parked and leased_until is null
      order by due_at ${scanned}
    ) c join notifications n on n.ctid = c.ctid
    where c.mer_no <> all (${leftOut.text})
      and c.mer_no not in (select mer_no from notification_pauses)
      and n.due_at <= $1 and not n.parked and n.leased_until is null
      and ${inItsTurn}
    limit ${CLAIM_LIMIT}
    for update of n skip locked
  )${takeDue}`
const claimShallow = { name: 'notifications.claim', text: claimText(`limit ${LOOK_LIMIT}`) }
const claimDeep = { name: 'notifications.claim-deep', text: claimText('') }

export type LaneSlots = { readonly merNo: number; readonly slots: number }

/** Claims parked notifications: of each merchant as many as the merchant has free slots. */
export function claimParked(db: Db, lease: Lease, free: readonly LaneSlots[]): Promise<Claimed[]> {
  return db.query<Claimed>({
    text: claimParkedText,
    values: [lease.now, lease.until, ...lanes.values(free)],
  })
}

const lanes = listOf<LaneSlots>({ mer_no: int8((one) => one.merNo), slots: int4((one) => one.slots) }, 3)

const claimParkedText = `
  with due as (
    select p.ctid
    from ${lanes.text}
    cross join lateral (
      select n.ctid from notifications n
      where n.mer_no = g.mer_no and n.parked and n.due_at <= $1 and n.leased_until is null and ${inItsTurn}
      order by n.due_at limit g.slots
      for update skip locked
    ) p
  )${takeDue}`

/** Selects the merchants with parked notifications, then a null. The loose index scan reads one entry per merchant. */
const lanesText = `
  lanes as (
    (select mer_no from notifications where parked order by mer_no limit 1)
    union all
    select (select n.mer_no from notifications n where n.parked and n.mer_no > lanes.mer_no
      order by n.mer_no limit 1)
    from lanes where lanes.mer_no is not null
  )`

export async function selectParkedMerchants(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ mer_no: bigint }>({
    text: `
      with recursive ${lanesText}
      select mer_no from lanes
      where mer_no is not null and mer_no not in (select mer_no from notification_pauses)
      limit 10000`,
  })
  return rows.map((row) => Number(row.mer_no))
}

/** Parks due notifications of these merchants, so that others do not wait behind them. Returns how many were parked. */
export async function parkDue(db: Db, merNos: readonly number[], now: Date): Promise<number> {
  const rows = await db.query<{ parked: number }>(
    { text: parkText, values: [now, parking.value(merNos)] },
    byIndex,
  )
  return rows[0]?.parked ?? 0
}

const parking = arrayOf(int8<number>(itself), 2)

const parkText = `
  with aside as (
    select n.ctid
    from (
      select ctid, mer_no from notifications
      where due_at <= $1 and not parked and leased_until is null
      order by due_at limit ${LOOK_LIMIT}
    ) c join notifications n on n.ctid = c.ctid
    where c.mer_no = any (${parking.text}) and n.due_at <= $1 and not n.parked and n.leased_until is null
    for update of n skip locked
  ), moved as (
    update notifications n set parked = true from aside where n.ctid = aside.ctid returning 1
  )
  select count(*)::int as parked from moved`

export async function selectPaused(db: Queryable): Promise<number[]> {
  const text = 'select mer_no from notification_pauses order by mer_no limit 10000'
  const rows = await db.query<{ mer_no: bigint }>({ text })
  return rows.map((row) => Number(row.mer_no))
}

export type AttemptKey = Pick<Claimed, 'merNo' | 'notificationId' | 'attemptNo' | 'roundStart'>

export function inLockOrder<One extends AttemptKey>(notifications: readonly One[]): One[] {
  return notifications.toSorted((one, other) => {
    if (one.merNo !== other.merNo) return one.merNo - other.merNo
    if (one.notificationId === other.notificationId) return 0
    return one.notificationId < other.notificationId ? -1 : 1
  })
}

/** Undoes the claim of notifications that were not sent. If `reapDead` has ended the attempt, it stays counted. */
export function putBack(db: Db, unsent: readonly AttemptKey[], parked: boolean): Promise<void> {
  const values = [...keys.values(inLockOrder(unsent)), parked]
  return db.atOnce([{ name: 'notifications.put-back', text: putBackText, values }], { byKey: true })
}

const keys = listOf<AttemptKey>({
  mer_no: int8((one) => one.merNo),
  notification_id: text((one) => one.notificationId),
  attempt_no: int4((one) => one.attemptNo),
})

const putBackText = `
  update notifications n set leased_until = null, due_at = coalesce(n.due_at, n.made_at), attempts = n.attempts - 1,
    parked = ${keys.next}, round_start = least(n.round_start, n.attempts - 1)
  from ${keys.text}
  where n.mer_no = g.mer_no and n.notification_id = g.notification_id and n.attempts = g.attempt_no
    and n.leased_until is not null`

type Reaping = {
  readonly now: Date
  /** The length of a lease: an attempt began this long before its lease ends. */
  readonly leaseMs: number
  readonly waits: readonly number[]
}

/** Ends the attempts of dead workers. These attempts count, and the schedule continues. Returns how many were ended. */
export async function reapDead(db: Db, { now, leaseMs, waits }: Reaping): Promise<number> {
  const rows = await db.query<{ reaped: number }>(
    { text: reapText, values: [now, delays.value(waits), leaseMs] },
    byIndex,
  )
  return rows[0]?.reaped ?? 0
}

const delays = arrayOf(int4<number>(itself), 2)

const reapText = `
  with dead as (
    select mer_no, notification_id, attempts, leased_until - $3::int * interval '1 millisecond' as started_at
    from notifications
    where due_at <= $1 and not parked and leased_until <= $1
    order by due_at limit ${REAP_LIMIT}
    for update skip locked
  ), ended as (
    insert into notification_attempts (mer_no, notification_id, attempt_no, started_at, finished_at, error)
    select mer_no, notification_id, attempts, started_at, $1, 'the worker ended before the answer came' from dead
    on conflict (mer_no, notification_id, attempt_no) do update set
      finished_at = excluded.finished_at, error = excluded.error where notification_attempts.finished_at is null
  ), moved as (
    update notifications n set leased_until = null,
      due_at = ${nextDue('dead.started_at', 'n.attempts - n.round_start')},
      failed_at = case when n.attempts - n.round_start > cardinality(${delays.text}) and n.delivered_at is null
        then $1::timestamptz end
    from dead
    where n.mer_no = dead.mer_no and n.notification_id = dead.notification_id
    returning 1
  )
  select count(*)::int as reaped from moved`

/** The SQL for the due time of the next delivery: now ($1) at the earliest, or null after the last delivery. */
function nextDue(leftAt: string, delivery: string): string {
  return `case when ${delivery} <= cardinality(${delays.text}) then greatest($1::timestamptz,
    coalesce(${leftAt}, $1::timestamptz) + (${delays.text})[${delivery}] * interval '1 millisecond') end`
}

const UNTRIED_LIMIT = 200

/** Counts an attempt without a request for each notification of a slow merchant that waited too long for a slot. */
export async function countUntried(
  db: Db,
  merNos: readonly number[],
  now: Date,
  waits: readonly number[],
  leastMs: number,
): Promise<number> {
  const rows = await db.query<{ untried: number }>({
    text: `
      with late as (
        select p.mer_no, p.notification_id from ${slow.text}
        cross join lateral (
          select n.mer_no, n.notification_id from notifications n
          where n.mer_no = g.mer_no and n.parked and n.leased_until is null
            and n.due_at < $1::timestamptz - interval '1 millisecond' * greatest(${slow.next}::int,
              (${delays.text})[least(n.attempts - n.round_start + 1, cardinality(${delays.text}))])
          order by n.due_at limit ${UNTRIED_LIMIT}
          for update skip locked
        ) p
      ), moved as (
        update notifications n set parked = false, attempts = n.attempts + 1,
          due_at = ${nextDue('$1::timestamptz', 'n.attempts - n.round_start + 1')},
          failed_at = case when n.attempts - n.round_start >= cardinality(${delays.text}) and n.delivered_at is null
            then $1::timestamptz end
        from late where n.mer_no = late.mer_no and n.notification_id = late.notification_id
        returning n.mer_no, n.notification_id, n.attempts
      ), noted as (
        insert into notification_attempts (mer_no, notification_id, attempt_no, started_at, finished_at, error)
        select mer_no, notification_id, attempts, $1, $1, 'not tried: the host has long not answered others'
        from moved on conflict (mer_no, notification_id, attempt_no) do nothing returning 1
      )
      select count(*)::int as untried from noted`,
    values: [now, delays.value(waits), ...slow.values(merNos), leastMs],
  })
  return rows[0]?.untried ?? 0
}

const slow = listOf({ mer_no: int8<number>(itself) }, 3)

// Each count stops at MAX_COUNTED, and all parked notifications of a paused merchant are skipped at once. So the cost
// of counting does not grow with the number of waiting rows.

const MAX_COUNTED = 10_000

type QueueCounts = {
  readonly overdue: number
  readonly oldest: Date | null
  readonly parked: number
  readonly pending: number
}

/**
 * Counts notifications. A notification that is due by `dueBefore` is overdue, except during a lease and while its
 * merchant is paused.
 */
export async function countQueue(db: Db, dueBefore: Date): Promise<QueueCounts> {
  const [row] = await db.query<QueueCounts>({ text: measureText, values: [dueBefore] }, { byKey: true })
  return row ?? { overdue: 0, oldest: null, parked: 0, pending: 0 }
}

export type StuckMerchant = {
  readonly merNo: number
  readonly retrying: number
  /** The number of overdue notifications without a failed attempt (see `hasFailed`). */
  readonly overdue: number
  /** The creation time of the oldest retrying or overdue notification. */
  readonly oldest: Date
}

/** Selects the merchants with stuck notifications, the merchant with the oldest stuck notification first. */
export async function selectStuck(db: Db, dueBefore: Date, limit: number): Promise<StuckMerchant[]> {
  const rows = await db.query<Omit<StuckMerchant, 'merNo'> & { readonly merNo: bigint }>(
    { text: stuckText, values: [dueBefore, limit] },
    { byKey: true },
  )
  return rows.map((row) => ({ ...row, merNo: Number(row.merNo) }))
}

export type StuckCounts = {
  readonly retrying: number
  readonly overdue: number
  readonly oldest: Date | null
}

export async function countStuck(db: Db, dueBefore: Date): Promise<StuckCounts> {
  const values = [dueBefore]
  const [row] = await db.query<StuckCounts>({ text: stuckCountText, values }, { byKey: true })
  return row ?? { retrying: 0, overdue: 0, oldest: null }
}

const isLate = 'due_at <= $1 and leased_until is null'
const isPaused = 'mer_no in (select mer_no from notification_pauses)'
const ofQueue = `due_at, made_at, ${hasFailed('notifications')} as has_failed`
const lateText = `${lanesText}, late as (
    (select mer_no, ${ofQueue} from notifications where not parked and ${isLate} and not ${isPaused}
      order by due_at limit ${MAX_COUNTED})
    union all
    (select lane.mer_no, parked.*
      from (select mer_no from lanes where mer_no is not null and not ${isPaused}) as lane
      cross join lateral (
        select ${ofQueue} from notifications where parked and mer_no = lane.mer_no and ${isLate}
        order by due_at limit ${MAX_COUNTED}
      ) as parked
      limit ${MAX_COUNTED})
  )`
export const measureText = `
  with recursive ${lateText}
  select (select count(*)::int from late) as overdue, (select min(due_at) from late) as oldest,
    (select count(*)::int from (select from notifications where parked limit ${MAX_COUNTED}) p) as parked,
    (select count(*)::int from (
      (select mer_no from notifications where due_at is not null and not parked limit ${MAX_COUNTED})
      union all
      (select mer_no from notifications_not_swept())
      limit ${MAX_COUNTED}) d) as pending`

// A notification is stuck if it is overdue or retrying. Only notifications with a failed attempt are due in the future.
// So the retrying notifications that are not overdue are at the end of the queue, and are read from there.
const stuckRows = `
  with recursive ${lateText}, waiting as (
    (select mer_no, leased_until, ${ofQueue} from notifications where due_at is not null and not parked
      order by due_at desc limit ${MAX_COUNTED})
    union all
    (select lane.mer_no, parked.*
      from (select mer_no from lanes where mer_no is not null and not ${isPaused}) as lane
      cross join lateral (
        select leased_until, ${ofQueue} from notifications where parked and mer_no = lane.mer_no
        order by due_at limit ${MAX_COUNTED}
      ) as parked
      limit ${MAX_COUNTED})
  ), stuck as (
    select mer_no, made_at, has_failed from late
    union all
    select mer_no, made_at, has_failed from waiting where has_failed and not (${isLate}) and not ${isPaused}
  )`
const stuckSums = `count(*) filter (where has_failed)::int as retrying,
  count(*) filter (where not has_failed)::int as overdue, min(made_at) as oldest from stuck`
export const stuckCountText = `${stuckRows} select ${stuckSums}`
const stuckText = `${stuckRows}
  select mer_no as "merNo", ${stuckSums} group by mer_no order by min(made_at) limit $2`
