// Owns the outbox. A row is written in the transaction of its result, so neither exists without the other. It is due
// immediately; the worker creates the body, outside of this transaction. One that is handed over has no due time at first: see
// pending-sql.ts.

import { makeId } from '../base/id.ts'
import type { Statement, Tx } from '../postgres/db.ts'
import { bool, int8, listOf, text, time } from '../postgres/lists.ts'
import type { Notification } from './notification.ts'

/** Skips notifications without an address. */
export async function enqueueNotifications(tx: Tx, notifications: readonly Notification[]): Promise<void> {
  for (const statement of outboxOf(notifications)) await tx.query(statement)
}

/** The statement that inserts them into the outbox; none if there is nothing to insert. */
export function outboxOf(notifications: readonly Notification[]): Statement[] {
  const rows = notifications
    .filter((one) => one.url !== '')
    .map((one) => ({ one, notificationId: makeId('N', one.merNo, one.at), leasedUntil: undefined }))
  return rows.length === 0 ? [] : [insertNotifications(rows)]
}

export type Leased = {
  readonly one: Notification
  readonly notificationId: string
  /** Set if a worker begins its first attempt now. */
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
