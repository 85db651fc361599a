// Owns the outbox. A row is written in the transaction that makes its result final: no result without its row, no row
// without its result. It is due at once; the body is made by the worker, outside of this transaction.

import { makeId } from '../base/id.ts'
import type { Statement, Tx } from '../postgres/db.ts'
import { bool, int8, listOf, text, time } from '../postgres/lists.ts'
import type { Notification } from './notification.ts'

/** Without an address there is nothing to send. */
export async function enqueueNotifications(tx: Tx, notifications: readonly Notification[]): Promise<void> {
  for (const statement of outboxOf(notifications)) await tx.query(statement)
}

/** The statement that puts them into the outbox, or none. */
export function outboxOf(notifications: readonly Notification[]): Statement[] {
  const rows = notifications.filter((one) => one.url !== '')
  return rows.length === 0
    ? []
    : [{ name: 'notifications.insert', text: insertText, values: waiting.values(rows) }]
}

const waiting = listOf<Notification>({
  mer_no: int8((one) => one.merNo),
  notification_id: text((one) => makeId('N', one.merNo, one.at)),
  trade_no: text((one) => one.tradeNo),
  event: text((one) => one.event),
  url: text((one) => one.url),
  fields: text((one) => JSON.stringify(one.fields)),
  made_at: time((one) => one.at),
  first_of_order: bool((one) => one.isFirst ?? false),
})

const insertText = `
  insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, due_at,
    first_of_order)
  select mer_no, notification_id, trade_no, event, url, fields::json, made_at, made_at, first_of_order
  from ${waiting.text}`
