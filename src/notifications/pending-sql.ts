// What is still to be delivered. A notification is pending while it has a due time or a lease. One that was handed over has only
// a lease until a sweep gives it its due time: nearly all are acknowledged before that, and are never in the index of due ones.
import type { Queryable } from '../postgres/db.ts'
import type { SweptTable } from '../postgres/sweep-sql.ts'

const isUnswept = 'due_at is null and leased_until is not null'

/** Of a notification that is found by its key. */
export function isPending(row: string): string {
  return `${row}.due_at is not null or ${row}.leased_until is not null`
}

/** Due since it was made: from then on it is as if a worker had claimed it. */
export const sweptNotifications: SweptTable = {
  table: 'notifications',
  key: ['mer_no', 'notification_id'],
  waits: isUnswept,
  due: 'due_at = made_at',
}

/**
 * All pending notifications, as a table: those with a due time by their index, the others among those stored since the last
 * sweep. `since` is the parameter with `selectSweptUntil`; one read a while ago is right as well.
 */
export function pendingText(since: string): string {
  return `(
    select * from notifications where due_at is not null
    union all
    select * from notifications where ${isUnswept} and stored_in >= ${since})`
}

/** A parameter, and not part of the statement: only with its value the planner sees that few rows are newer. */
export async function selectSweptUntil(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ swept_until: bigint }>({
    text: `select swept_until from sweeps where name = 'notifications'`,
  })
  return row?.swept_until ?? 0n
}
