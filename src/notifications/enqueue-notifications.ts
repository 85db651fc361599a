// Owns the outbox. A row is written in the transaction that makes its result final: no result without its row, no row
// without its result. It is due at once; the body is made by the worker, outside of this transaction.
import type { Tx } from '../base/db.ts'
import { makeId } from '../base/id.ts'
import type { Notification } from './notification.ts'

/** Without an address there is nothing to send. */
export async function enqueueNotifications(tx: Tx, notifications: readonly Notification[]): Promise<void> {
  const rows = notifications.filter((one) => one.url !== '').map(toRow)
  if (rows.length === 0) return
  await tx.query({ name: 'notifications.insert', text: insertText, values: [JSON.stringify(rows)] })
}

function toRow(one: Notification) {
  return {
    mer_no: one.merNo,
    notification_id: makeId('N', one.merNo, one.at),
    trade_no: one.tradeNo,
    event: one.event,
    url: one.url,
    fields: one.fields,
    made_at: one.at,
  }
}

const insertText = `
  insert into notifications (mer_no, notification_id, trade_no, event, url, fields, made_at, due_at)
  select mer_no, notification_id, trade_no, event, url, fields, made_at, made_at
  from json_to_recordset($1) as n (
    mer_no bigint, notification_id text, trade_no text, event text, url text, fields json, made_at timestamptz)`
