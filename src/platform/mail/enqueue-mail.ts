// Alerts are stored by the domain in which something happened, in its transaction. Who wants to know it by mail is decided
// later, by a worker, so a producer needs one short statement only.
import { makeId } from '../base/id.ts'
import type { Tx } from '../postgres/db.ts'
import type { AnyAlert, Values } from './mail.ts'
import { type Alert, beginPause, insertAlerts, takeAlertRows } from './sql.ts'

export type NewAlert = {
  readonly merNo: number
  readonly kind: AnyAlert
  readonly values: Values
  readonly now: Date
}

const PAUSE_MS = 3_600_000
/** Kinds that may come by the thousand: one mail an hour says enough. */
const oncePerHour: readonly AnyAlert[] = ['delivery-failed']

export async function enqueueAlert(tx: Tx, alert: NewAlert): Promise<void> {
  const { merNo, kind, now } = alert
  if (oncePerHour.includes(kind)) {
    const until = new Date(now.getTime() + PAUSE_MS)
    if (!(await beginPause(tx, merNo, kind, now, until))) return
  }
  await insertAlerts(tx, [toRow(alert)])
}

/** For work in batches. */
export async function enqueueAlerts(tx: Tx, alerts: readonly NewAlert[]): Promise<void> {
  if (alerts.length > 0) await insertAlerts(tx, alerts.map(toRow))
}

function toRow({ merNo, kind, values, now }: NewAlert): Alert {
  return { merNo, alertId: makeId('M', merNo, now), kind, values, createdAt: now }
}

export function takeAlerts(tx: Tx, limit: number): Promise<Alert[]> {
  return takeAlertRows(tx, limit)
}
