import { makeId } from '../base/id.ts'
import type { Vault } from '../base/secret.ts'
import { assert } from '../errors/catalogue.ts'
import type { Tx } from '../postgres/db.ts'
import { type AnyAlert, isMailAddress, mailLanguage, type NewMail, type Values } from './mail.ts'
import { type Alert, beginPause, insertAlerts, insertMail, takeAlertRows } from './sql.ts'

/**
 * Stores a mail in the transaction of the change that it reports. The mail is sent if and only if the change is made.
 */
export async function enqueueMail(tx: Tx, vault: Vault, mail: NewMail): Promise<void> {
  const { merNo, to, template, language, values, now, link } = mail
  assert(isMailAddress(to), 'mail goes only to checked addresses')
  const mailId = makeId('M', merNo, now)
  const sealedLink = link === undefined ? null : vault.seal(link, linkContext(mailId))
  const stored = { merNo, mailId, to, template, language: mailLanguage(language), values }
  await insertMail(tx, { ...stored, sealedLink, createdAt: now })
}

export function linkContext(mailId: string): string {
  return `mail-link:${mailId}`
}

// A domain stores an alert in the transaction of the change that the alert reports. A worker decides later who receives
// the alert by mail, so the transaction needs only one short statement.

export type NewAlert = {
  readonly merNo: number
  readonly kind: AnyAlert
  readonly values: Values
  readonly now: Date
}

const PAUSE_MS = 3_600_000
/** The kinds of alert that a merchant gets at most once an hour, because there may be thousands of such alerts. */
const oncePerHour: readonly AnyAlert[] = ['delivery-failed']

export async function enqueueAlert(tx: Tx, alert: NewAlert): Promise<void> {
  const { merNo, kind, now } = alert
  if (oncePerHour.includes(kind)) {
    const until = new Date(now.getTime() + PAUSE_MS)
    if (!(await beginPause(tx, merNo, kind, now, until))) return
  }
  await insertAlerts(tx, [toRow(alert)])
}

/** Stores the alerts of a batch, without the limit of one alert per hour. */
export async function enqueueAlerts(tx: Tx, alerts: readonly NewAlert[]): Promise<void> {
  if (alerts.length > 0) await insertAlerts(tx, alerts.map(toRow))
}

function toRow({ merNo, kind, values, now }: NewAlert): Alert {
  return { merNo, alertId: makeId('M', merNo, now), kind, values, createdAt: now }
}

export function takeAlerts(tx: Tx, limit: number): Promise<Alert[]> {
  return takeAlertRows(tx, limit)
}
