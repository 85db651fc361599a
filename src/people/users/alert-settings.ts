import type { AlertKind, AnyAlert } from '../../mail/mail.ts'
import type { Queryable, Tx } from '../../postgres/db.ts'
import { listOf, bool as toBool, text as toText } from '../../postgres/lists.ts'

type Person = { readonly merNo: number; readonly userId: string }
export type AlertSetting = { readonly kind: AlertKind; readonly isOn: boolean }

/** Only those that the person has set. */
export async function selectAlertSettings(db: Queryable, { merNo, userId }: Person): Promise<AlertSetting[]> {
  const rows = await db.query<{ kind: AlertKind; is_on: boolean }>({
    text: 'select kind, is_on from alert_settings where mer_no = $1 and user_id = $2',
    values: [merNo, userId],
  })
  return rows.map(({ kind, is_on: isOn }) => ({ kind, isOn }))
}

export async function upsertAlertSettings(
  tx: Tx,
  { merNo, userId }: Person,
  settings: readonly AlertSetting[],
): Promise<void> {
  await tx.query({
    text: `
      insert into alert_settings (mer_no, user_id, kind, is_on)
      select $1::bigint, $2::text, kind, is_on from ${list.text}
      on conflict (mer_no, user_id, kind) do update set is_on = excluded.is_on`,
    values: [merNo, userId, ...list.values(settings)],
  })
}

const list = listOf(
  {
    kind: toText<AlertSetting>(({ kind }) => kind),
    is_on: toBool<AlertSetting>(({ isOn }) => isOn),
  },
  3,
)

/** For alerts that are on until the person switches them off. */
export async function wantsAlert(
  db: Queryable,
  { merNo, userId }: Person,
  kind: AlertKind,
): Promise<boolean> {
  const rows = await db.query({
    text: 'select 1 from alert_settings where mer_no = $1 and user_id = $2 and kind = $3 and not is_on',
    values: [merNo, userId, kind],
  })
  return rows.length === 0
}

type AlertQuery = {
  readonly kind: AnyAlert
  readonly isOnByDefault: boolean
  readonly alwaysOnFor: string | undefined
  readonly limit: number
}

export type AlertReader = {
  readonly user_id: string
  readonly email: string
  readonly role: string
  readonly language: string | null
  readonly permissions: readonly string[] | null
}

/**
 * Who can sign in and has not switched this alert off, or has the role that always gets it; with the permissions of a role that
 * people defined.
 */
export async function selectAlertReaders(
  db: Queryable,
  merNo: number,
  { kind, isOnByDefault, alwaysOnFor, limit }: AlertQuery,
): Promise<AlertReader[]> {
  return db.query<AlertReader>({
    text: `
      select u.user_id, u.email, u.role, u.language, r.permissions from users u
      left join roles r on r.mer_no = u.mer_no and r.role = u.role
      left join alert_settings s on s.mer_no = u.mer_no and s.user_id = u.user_id and s.kind = $2
      where u.mer_no = $1 and u.state = 'active' and (coalesce(s.is_on, $4) or u.role = $5)
      order by u.user_id limit $3`,
    values: [merNo, kind, limit, isOnByDefault, alwaysOnFor ?? null],
  })
}
