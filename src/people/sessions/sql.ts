import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Person } from '../users/store-users.ts'

export type SessionRow = {
  readonly mer_no: bigint
  readonly session_id: string
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly language: string | null
  readonly permissions: readonly string[] | null
  readonly has_totp: boolean
  readonly has_passkey: boolean
  readonly factor_required: boolean
  readonly created_at: Date
  readonly seen_at: Date
  readonly factor_at: Date | null
}

/** Finds a session of an active person. `permissions` is null for a built-in role. */
export async function selectSession(db: Queryable, sessionId: string): Promise<SessionRow | undefined> {
  const [row] = await db.query<SessionRow>({
    name: 'sessions.find',
    text: `
      select s.mer_no, s.session_id, s.user_id, u.email, u.name, u.role, u.language, r.permissions,
        u.totp_secret is not null as has_totp,
        exists (select 1 from passkeys p where p.mer_no = u.mer_no and p.user_id = u.user_id) as has_passkey,
        s.mer_no = 0 or coalesce(f.factor_required, false) as factor_required,
        s.created_at, s.seen_at, s.factor_at
      from sessions s
      join users u using (mer_no, user_id)
      left join roles r on r.mer_no = u.mer_no and r.role = u.role
      left join sign_in_rules f on f.mer_no = u.mer_no
      where s.session_id = $1 and s.ended_at is null and u.state = 'active'`,
    values: [sessionId],
  })
  return row
}

export async function updateSeen(db: Queryable, sessionId: string, at: Date): Promise<void> {
  await db.query({
    name: 'sessions.seen',
    text: 'update sessions set seen_at = $2 where session_id = $1',
    values: [sessionId, at],
  })
}

type NewSession = Person & {
  readonly sessionId: string
  readonly at: Date
  readonly factorAt: Date | null
  readonly address: string
  readonly agent: string
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const { merNo, sessionId, userId, at, factorAt, address, agent } = session
  await tx.query({
    name: 'sessions.insert',
    text: `
      insert into sessions (mer_no, session_id, user_id, created_at, seen_at, factor_at, address, agent)
      values ($1, $2, $3, $4, $4, $5, $6, $7)`,
    values: [merNo, sessionId, userId, at, factorAt, address, agent],
  })
}

export async function endSession(db: Queryable, sessionId: string, at: Date): Promise<void> {
  await db.query({
    name: 'sessions.end',
    text: 'update sessions set ended_at = $2 where session_id = $1 and ended_at is null',
    values: [sessionId, at],
  })
}

/** Gives the session a new token. Returns false if the session has ended or another call has renewed it. */
export async function renewSession(
  tx: Tx,
  oldId: string,
  { sessionId, factorAt, seenAt }: { sessionId: string; factorAt: Date; seenAt: Date },
): Promise<boolean> {
  const rows = await tx.query({
    name: 'sessions.renew',
    text: `
      update sessions set session_id = $2, factor_at = $3, seen_at = $4
      where session_id = $1 and ended_at is null returning session_id`,
    values: [oldId, sessionId, factorAt, seenAt],
  })
  return rows.length > 0
}

/** Ends the person's sessions, except the session `except`. Returns the number of ended sessions. */
export async function endSessionsOf(
  tx: Queryable,
  { merNo, userId }: Person,
  at: Date,
  except = '',
): Promise<number> {
  const rows = await tx.query({
    text: `
      update sessions set ended_at = $3
      where mer_no = $1 and user_id = $2 and session_id <> $4 and ended_at is null returning session_id`,
    values: [merNo, userId, at, except],
  })
  return rows.length
}

/** Ends one of the person's sessions. Returns false if the person has no open session with this id. */
export async function endOwnSession(
  tx: Tx,
  { merNo, userId }: Person,
  sessionId: string,
  at: Date,
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      update sessions set ended_at = $4
      where mer_no = $1 and user_id = $2 and session_id = $3 and ended_at is null returning session_id`,
    values: [merNo, userId, sessionId, at],
  })
  return rows.length > 0
}

export type ListedSession = Pick<SessionRow, 'session_id' | 'created_at' | 'seen_at'> & {
  readonly address: string
  readonly agent: string
}

export async function selectSessionsOf(
  db: Queryable,
  { merNo, userId }: Person,
  { seenAfter, createdAfter }: { seenAfter: Date; createdAfter: Date },
): Promise<ListedSession[]> {
  return db.query<ListedSession>({
    text: `
      select session_id, created_at, seen_at, address, agent from sessions
      where mer_no = $1 and user_id = $2 and ended_at is null and factor_at is not null
        and seen_at > $3 and created_at > $4
      order by created_at desc, session_id limit 100`,
    values: [merNo, userId, seenAfter, createdAfter],
  })
}

/** Makes the company's open sessions incomplete if the person of the session has no second factor. */
export async function demandFactors(tx: Tx, merNo: number): Promise<void> {
  await tx.query({
    text: `
      update sessions s set factor_at = null from users u
      where s.mer_no = $1 and s.ended_at is null and u.mer_no = s.mer_no and u.user_id = s.user_id
        and u.totp_secret is null
        and not exists (select 1 from passkeys p where p.mer_no = u.mer_no and p.user_id = u.user_id)`,
    values: [merNo],
  })
}

/**
 * True if the person has signed in from this device. The same statement runs for unknown addresses, so its duration
 * does not reveal whether an account exists.
 */
export async function isKnownDevice(db: Queryable, email: string, deviceId: string): Promise<boolean> {
  const rows = await db.query({
    name: 'devices.known',
    text: `
      select 1 from users u join user_devices d using (mer_no, user_id)
      where u.email = lower($1) and u.state = 'active' and d.device_id = $2`,
    values: [email, deviceId],
  })
  return rows.length > 0
}

/** Stores the device. Returns true if it is new. */
export async function upsertDevice(
  tx: Tx,
  { merNo, userId }: Person,
  deviceId: string,
  at: Date,
): Promise<boolean> {
  const [row] = await tx.query<{ is_new: boolean }>({
    text: `
      insert into user_devices (mer_no, user_id, device_id, created_at, seen_at) values ($1, $2, $3, $4, $4)
      on conflict (mer_no, user_id, device_id) do update set seen_at = excluded.seen_at
      returning created_at = $4 as is_new`,
    values: [merNo, userId, deviceId, at],
  })
  return row?.is_new === true
}

export async function deleteOldDevices(tx: Tx, { merNo, userId }: Person, kept: number): Promise<void> {
  await tx.query({
    text: `
      delete from user_devices where mer_no = $1 and user_id = $2 and device_id in (
        select device_id from user_devices where mer_no = $1 and user_id = $2
        order by seen_at desc, device_id offset $3)`,
    values: [merNo, userId, kept],
  })
}

type FactorsRow = Pick<SessionRow, 'has_totp' | 'has_passkey' | 'factor_required'>

export async function selectFactors(db: Queryable, { merNo, userId }: Person): Promise<FactorsRow> {
  const [row] = await db.query<FactorsRow>({
    text: `
      select u.totp_secret is not null as has_totp,
        exists (select 1 from passkeys p where p.mer_no = u.mer_no and p.user_id = u.user_id) as has_passkey,
        u.mer_no = 0 or coalesce(r.factor_required, false) as factor_required
      from users u left join sign_in_rules r using (mer_no)
      where u.mer_no = $1 and u.user_id = $2`,
    values: [merNo, userId],
  })
  return row ?? { has_totp: false, has_passkey: false, factor_required: true }
}

type RulesRow = { readonly factor_required: boolean; readonly version: number }

export async function selectRules(db: Queryable, merNo: number): Promise<RulesRow> {
  const [row] = await db.query<RulesRow>({
    text: 'select factor_required, version from sign_in_rules where mer_no = $1',
    values: [merNo],
  })
  return row ?? { factor_required: false, version: 0 }
}

/** Stores the rules. Returns false if somebody else has changed them since `version`. */
export async function upsertRules(
  tx: Tx,
  { merNo, factorRequired, version }: { merNo: number; factorRequired: boolean; version: number },
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into sign_in_rules (mer_no, factor_required, version)
      select $1::bigint, $2::boolean, 1 where $3::int = 0
        or exists (select 1 from sign_in_rules where mer_no = $1 and version = $3)
      on conflict (mer_no) do update set
        factor_required = excluded.factor_required, version = sign_in_rules.version + 1
      where sign_in_rules.version = $3
      returning mer_no`,
    values: [merNo, factorRequired, version],
  })
  return rows.length > 0
}
