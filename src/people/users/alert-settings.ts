// Owns alert_settings: the alerts by mail that a person has switched on or off. A kind of alert without a row has its
// default. Some people cannot switch some alerts off (`AlwaysOn`).
import type { AlertKind, AnyAlert } from '../../platform/mail/mail.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { arrayOf, itself, listOf, bool as toBool, text as toText } from '../../platform/postgres/lists.ts'
import type { Person } from './store-users.ts'

type AlertSetting = { readonly kind: AlertKind; readonly isOn: boolean }

/** The person's settings. Kinds without a setting are missing. */
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

/** False if the person has switched the alert off. This function is only for alerts that are on by default. */
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

/** The people who cannot switch an alert off: owners, or everybody who may get the alert. */
export type AlwaysOn = 'owner' | 'everybody' | undefined

type AlertQuery = {
  readonly kind: AnyAlert
  readonly isOnByDefault: boolean
  readonly alwaysOnFor: AlwaysOn
  /** The roles that may get the alert. */
  readonly roles: readonly string[]
  readonly limit: number
}

export type AlertReader = {
  readonly user_id: string
  readonly email: string
  readonly language: string | null
}

/**
 * Finds at most `limit` active people for whom the alert is on. Owners come first, so that the limit leaves out other
 * people.
 */
export async function selectAlertReaders(
  db: Queryable,
  merNo: number,
  { kind, isOnByDefault, alwaysOnFor, roles, limit }: AlertQuery,
): Promise<AlertReader[]> {
  return db.query<AlertReader>({
    text: `
      select u.user_id, u.email, u.language from users u
      left join alert_settings s on s.mer_no = u.mer_no and s.user_id = u.user_id and s.kind = $2
      where u.mer_no = $1 and u.state = 'active' and (coalesce(s.is_on, $4) or $5 in ('everybody', u.role))
        and u.role = any (${readers.text})
      order by u.role = 'owner' desc, u.user_id limit $3`,
    values: [merNo, kind, limit, isOnByDefault, alwaysOnFor ?? null, readers.value(roles)],
  })
}

const readers = arrayOf(toText<string>(itself), 6)
