import { makeId } from '../base/id.ts'
import type { Vault } from '../base/secret.ts'
import { assert } from '../errors/catalogue.ts'
import type { Tx } from '../postgres/db.ts'
import { type AnyAlert, isMailAddress, mailLanguage, type NewMail, type Values } from './mail.ts'
import { type Alert, beginPause, insertAlerts, insertMail } from './store-mails.ts'

/** Stores a mail in the transaction of the change that the mail reports, so a rollback sends no mail. */
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

// An alert is stored in the transaction of the change that the alert reports. A worker decides later who gets a mail
// about the alert, so the transaction needs only one short statement.

export type NewAlert = {
  readonly merNo: number
  readonly kind: AnyAlert
  readonly values: Values
  readonly now: Date
}

const PAUSE_MS = 3_600_000
/** Alerts of which a merchant gets at most one per hour, because thousands may occur. */
const oncePerHour: readonly AnyAlert[] = ['delivery-failed']

export async function enqueueAlert(tx: Tx, alert: NewAlert): Promise<void> {
  const { merNo, kind, now } = alert
  if (oncePerHour.includes(kind)) {
    const until = new Date(now.getTime() + PAUSE_MS)
    if (!(await beginPause(tx, merNo, kind, now, until))) return
  }
  await insertAlerts(tx, [toRow(alert)])
}

/** Stores alerts without the limit of one per hour. */
export async function enqueueAlerts(tx: Tx, alerts: readonly NewAlert[]): Promise<void> {
  if (alerts.length > 0) await insertAlerts(tx, alerts.map(toRow))
}

function toRow({ merNo, kind, values, now }: NewAlert): Alert {
  return { merNo, alertId: makeId('M', merNo, now), kind, values, createdAt: now }
}
