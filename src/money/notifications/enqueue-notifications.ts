// Owns the inserts into the outbox (the table notifications). A notification is written in the same transaction as the
// result that it reports. The notification is due immediately. The worker creates the body outside of this transaction.
// A notification that is handed over to a worker (hand-over.ts) has no due time at first: see claim-sql.ts.
//
// The outbox is also the queue, because a separate queue would cost every payment another row. No NOTIFY is sent,
// because NOTIFY would also slow down every payment. Instead, a process wakes its own worker, and the workers of other
// processes poll the queue every 50 ms.

import { makeId } from '../../platform/base/id.ts'
import type { Statement, Tx } from '../../platform/postgres/db.ts'
import { bool, int8, listOf, text, time } from '../../platform/postgres/lists.ts'
import type { Notification } from './notification.ts'

/** Inserts the notifications into the outbox. Notifications without an address are skipped. */
export async function enqueueNotifications(tx: Tx, notifications: readonly Notification[]): Promise<void> {
  for (const statement of outboxOf(notifications)) await tx.query(statement)
}

/** Returns the statement that inserts the notifications. The list is empty if no notification has an address. */
export function outboxOf(notifications: readonly Notification[]): Statement[] {
  const rows = notifications
    .filter((one) => one.url !== '')
    .map((one) => ({ one, notificationId: makeId('N', one.merNo, one.at), leasedUntil: undefined }))
  return rows.length === 0 ? [] : [insertNotifications(rows)]
}

export type Leased = {
  readonly one: Notification
  readonly notificationId: string
  /** The end of the lease if the notification is handed over to this process's worker. Otherwise undefined. */
  readonly leasedUntil: Date | undefined
}

export function insertNotifications(rows: readonly Leased[]): Statement {
  return { name: 'notifications.insert', text: insertText, values: queued.values(rows) }
}

const queued = listOf<Leased>({
  mer_no: int8(({ one }) => one.merNo),
  notification_id: text((row) => row.notificationId),
  trade_no: text(({ one }) => one.tradeNo),
  event: text(({ one }) => one.event),
  url: text(({ one }) => one.url),
  fields: text(({ one }) => JSON.stringify(one.fields)),
  made_at: time(({ one }) => one.at),
  first_of_order: bool(({ one }) => one.isFirst ?? false),
  leased_until: time((row) => row.leasedUntil),
})

const insertText = `
  insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, due_at,
    first_of_order, leased_until, attempts)
  select mer_no, notification_id, trade_no, event, url, fields::json, made_at,
    case when leased_until is null then made_at end, first_of_order, leased_until, (leased_until is not null)::int
  from ${queued.text}`
