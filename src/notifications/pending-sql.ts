// What is still to be delivered. A notification is pending while it has a due time or a lease. One that was handed over has only
// a lease until a sweep gives it its due time: nearly all are acknowledged before that, and are never in the index of due ones.
import type { SweptTable } from '../postgres/sweep.ts'

/** Of a notification that is found by its key. */
export function isPending(row: string): string {
  return `${row}.due_at is not null or ${row}.leased_until is not null`
}

/** Due since it was made: from then on it is as if a worker had claimed it. */
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
