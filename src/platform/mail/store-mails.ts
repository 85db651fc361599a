// Owns the tables mails, alerts and alert_pauses.
import type { Queryable, Tx } from '../postgres/db.ts'
import { int8, json, listOf, text, time } from '../postgres/lists.ts'
import type { AnyAlert, MailState, StoredMail, Values } from './mail.ts'

type MailRow = Omit<StoredMail, 'merNo'> & { readonly merNo: bigint }

const columns = `
  m.mer_no as "merNo", m.mail_id as "mailId", m.recipient as "to", m.template, m.language, m.content as "values",
  m.sealed_link as "sealedLink", m.state, m.created_at as "createdAt", m.tries, m.error`

function withNumber<Row extends { readonly merNo: bigint }>(row: Row) {
  return { ...row, merNo: Number(row.merNo) }
}

export async function insertMail(tx: Tx, mail: Omit<StoredMail, 'state' | 'tries' | 'error'>): Promise<void> {
  const { merNo, mailId, to, template, language, values, sealedLink, createdAt } = mail
  await tx.query({
    name: 'mails.insert',
    text: `
      insert into mails (mer_no, mail_id, recipient, template, language, content, sealed_link, state, created_at, due_at, tries)
      values ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8, $8, 0)`,
    values: [merNo, mailId, to, template, language, JSON.stringify(values), sealedLink, createdAt],
  })
}

type MailClaim = { readonly now: Date; readonly leaseUntil: Date; readonly limit: number }

/** Claims due mails. A claim counts as a try, even if the process stops before it records the outcome. */
export async function claimMails(
  db: Queryable,
  { now, leaseUntil, limit }: MailClaim,
): Promise<StoredMail[]> {
  const rows = await db.query<MailRow>({
    name: 'mails.claim',
    text: `
      with due as (
        select mer_no, mail_id from mails
        where state = 'waiting' and due_at <= $1
        order by due_at limit $3 for update skip locked)
      update mails m set due_at = $2, tries = tries + 1
      from due where m.mer_no = due.mer_no and m.mail_id = due.mail_id
      returning ${columns}`,
    values: [now, leaseUntil, limit],
  })
  return rows.map(withNumber)
}

type MailKey = Pick<StoredMail, 'merNo' | 'mailId'>

export async function recordSent(
  db: Queryable,
  { merNo, mailId }: MailKey,
  keepsLink: boolean,
): Promise<void> {
  await db.query({
    name: 'mails.sent',
    text: `
      update mails set state = 'sent', error = null, sealed_link = case when $3 then sealed_link end
      where mer_no = $1 and mail_id = $2`,
    values: [merNo, mailId, keepsLink],
  })
}

type MailFailure = { readonly state: MailState; readonly dueAt: Date; readonly error: string }

export async function recordFailure(db: Queryable, key: MailKey, failure: MailFailure): Promise<void> {
  const { state, dueAt, error } = failure
  await db.query({
    name: 'mails.failure',
    text: 'update mails set state = $3, due_at = $4, error = $5 where mer_no = $1 and mail_id = $2',
    values: [key.merNo, key.mailId, state, dueAt, error],
  })
}

/** A text that sorts after the id of every mail, because these ids begin with M. */
const AFTER_ALL = 'N'

/** Lists mails, newest first. `before` is the id of the last mail on the previous page. */
export async function listMails(db: Queryable, before = AFTER_ALL, limit: number): Promise<StoredMail[]> {
  const rows = await db.query<MailRow>({
    text: `select ${columns} from mails m where mail_id < $1 order by mail_id desc limit $2`,
    values: [before, limit],
  })
  return rows.map(withNumber)
}

/** Makes a failed mail due again. Returns false if no failed mail has this id. */
export async function retryMail(tx: Tx, mailId: string, now: Date): Promise<boolean> {
  const rows = await tx.query({
    text: `update mails set state = 'waiting', due_at = $2, tries = 0 where mail_id = $1 and state = 'failed' returning mail_id`,
    values: [mailId, now],
  })
  return rows.length > 0
}

export async function deleteOldMails(db: Queryable, before: string, limit: number): Promise<number> {
  const rows = await db.query({
    text: `
      delete from mails where (mer_no, mail_id) in (
        select mer_no, mail_id from mails where mail_id < $1 and state <> 'waiting' limit $2)
      returning mail_id`,
    values: [before, limit],
  })
  return rows.length
}

export type Alert = {
  readonly merNo: number
  readonly alertId: string
  readonly kind: AnyAlert
  readonly values: Values
  readonly createdAt: Date
}

export async function insertAlerts(tx: Tx, alerts: readonly Alert[]): Promise<void> {
  await tx.query({
    name: 'alerts.insert',
    text: `
      insert into alerts (mer_no, alert_id, kind, content, created_at)
      select mer_no, alert_id, kind, content, created_at from ${newAlerts.text}`,
    values: newAlerts.values(alerts),
  })
}

const newAlerts = listOf<Alert>({
  mer_no: int8(({ merNo }) => merNo),
  alert_id: text(({ alertId }) => alertId),
  kind: text(({ kind }) => kind),
  content: json(({ values }) => values),
  created_at: time(({ createdAt }) => createdAt),
})

/** Begins a pause for this kind of alert. Returns false if an earlier pause still lasts. */
export async function beginPause(
  tx: Tx,
  merNo: number,
  kind: AnyAlert,
  now: Date,
  until: Date,
): Promise<boolean> {
  const rows = await tx.query({
    name: 'alerts.pause',
    text: `
      insert into alert_pauses (mer_no, kind, until) values ($1, $2, $4)
      on conflict (mer_no, kind) do update set until = excluded.until where alert_pauses.until <= $3
      returning kind`,
    values: [merNo, kind, now, until],
  })
  return rows.length > 0
}

/** Deletes alerts and returns them. The caller turns them into mails in the same transaction. */
export async function takeAlerts(tx: Tx, limit: number): Promise<Alert[]> {
  const rows = await tx.query<Omit<Alert, 'merNo'> & { readonly merNo: bigint }>({
    name: 'alerts.take',
    text: `
      delete from alerts where (mer_no, alert_id) in (
        select mer_no, alert_id from alerts order by alert_id limit $1 for update skip locked)
      returning mer_no as "merNo", alert_id as "alertId", kind, content as "values", created_at as "createdAt"`,
    values: [limit],
  })
  return rows.map(withNumber)
}
