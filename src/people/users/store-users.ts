import { containsAnyCase } from '../postgres/any-case.ts'
import type { Queryable, Tx } from '../postgres/db.ts'

export type UserState = 'invited' | 'active' | 'disabled'

export type UserRow = {
  readonly mer_no: bigint
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly state: UserState
  /** Null until the person has set one. */
  readonly password_hash: string | null
  readonly totp_secret: Buffer | null
  readonly language: string | null
  readonly signed_in_at: Date | null
  readonly created_at: Date
  readonly version: number
}

const columns =
  'mer_no, user_id, email, name, role, state, password_hash, totp_secret, language, signed_in_at, created_at, version'

export type NewUserRow = {
  readonly merNo: number
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly passwordHash: string | null
  readonly language: string | null
  readonly createdAt: Date
}

export async function insertUser(tx: Tx, row: NewUserRow): Promise<void> {
  const { merNo, userId, email, name, role, passwordHash, language, createdAt } = row
  await tx.query({
    text: `
      insert into users (mer_no, user_id, email, name, role, state, password_hash, language, version, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9)`,
    values: [
      merNo,
      userId,
      email,
      name,
      role,
      passwordHash === null ? 'invited' : 'active',
      passwordHash,
      language,
      createdAt,
    ],
  })
}

/** Who can sign in with this address. Companies that only invited it, or disabled its person, have rows of their own. */
export async function selectActiveUser(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>({
    name: 'users.active',
    text: `select ${columns} from users where email = lower($1) and state = 'active'`,
    values: [email],
  })
  return row
}

/** Of all companies, in any state. At most one is active. */
export async function selectUsersByEmail(db: Queryable, email: string): Promise<UserRow[]> {
  return db.query<UserRow>({
    text: `select ${columns} from users where email = lower($1) order by mer_no`,
    values: [email],
  })
}

export async function selectUser(db: Queryable, merNo: number, userId: string): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>({
    name: 'users.find',
    text: `select ${columns} from users where mer_no = $1 and user_id = $2`,
    values: [merNo, userId],
  })
  return row
}

export async function lockUser(tx: Tx, merNo: number, userId: string): Promise<UserRow | undefined> {
  const [row] = await tx.query<UserRow>({
    name: 'users.lock',
    text: `select ${columns} from users where mer_no = $1 and user_id = $2 for update`,
    values: [merNo, userId],
  })
  return row
}

/** By id, so in the order in which they were created. */
export async function selectUsers(
  db: Queryable,
  merNo: number,
  after: string,
  limit: number,
): Promise<(UserRow & { readonly has_passkey: boolean })[]> {
  return db.query({
    text: `
      select ${columns}, exists (
        select 1 from passkeys p where p.mer_no = u.mer_no and p.user_id = u.user_id) as has_passkey
      from users u where mer_no = $1 and user_id > $2 order by user_id limit $3`,
    values: [merNo, after, limit],
  })
}

/** Whose name or address contains the text. Companies have few people. */
export async function selectPeople(
  db: Queryable,
  merNo: number,
  text: string,
  limit: number,
): Promise<Pick<UserRow, 'user_id' | 'email' | 'name' | 'role'>[]> {
  return db.query({
    text: `
      select user_id, email, name, role from users
      where mer_no = $1 and (name ~ $2 or email ~ $2)
      order by user_id limit $3`,
    values: [merNo, containsAnyCase(text), limit],
  })
}

/** Locks those who can sign in with one of these roles, so that nobody else removes the last one meanwhile. */
export async function lockActiveWithRole(tx: Tx, merNo: number, role: string): Promise<string[]> {
  const rows = await tx.query<{ user_id: string }>({
    text: `
      select user_id from users where mer_no = $1 and role = $2 and state = 'active'
      order by user_id for update`,
    values: [merNo, role],
  })
  return rows.map(({ user_id }) => user_id)
}

export async function countByRole(db: Queryable, merNo: number): Promise<Map<string, number>> {
  const rows = await db.query<{ role: string; users: number }>({
    text: `select role, count(*)::int as users from users where mer_no = $1 and state <> 'disabled' group by role`,
    values: [merNo],
  })
  return new Map(rows.map(({ role, users }) => [role, users]))
}

type UserKey = { readonly merNo: number; readonly userId: string }

/** The person can sign in with it from now on. */
export async function updatePassword(tx: Tx, { merNo, userId }: UserKey, hash: string): Promise<void> {
  await tx.query({
    text: `
      update users set password_hash = $3, state = 'active', version = version + 1
      where mer_no = $1 and user_id = $2`,
    values: [merNo, userId, hash],
  })
}

/** The same password with another cost; not if it was changed meanwhile. */
export async function renewHash(
  tx: Tx,
  { merNo, userId }: UserKey,
  old: string,
  hash: string,
): Promise<void> {
  await tx.query({
    text: `update users set password_hash = $4 where mer_no = $1 and user_id = $2 and password_hash = $3`,
    values: [merNo, userId, old, hash],
  })
}

export async function updateProfile(
  tx: Tx,
  { merNo, userId }: UserKey,
  { name, language }: { name: string; language: string | null },
): Promise<void> {
  await tx.query({
    text: `update users set name = $3, language = $4, version = version + 1 where mer_no = $1 and user_id = $2`,
    values: [merNo, userId, name, language],
  })
}

export async function updateRole(tx: Tx, { merNo, userId }: UserKey, role: string): Promise<void> {
  await tx.query({
    text: 'update users set role = $3, version = version + 1 where mer_no = $1 and user_id = $2',
    values: [merNo, userId, role],
  })
}

/** Someone who was disabled has to set a new password. */
export async function updateState(tx: Tx, { merNo, userId }: UserKey, state: UserState): Promise<void> {
  await tx.query({
    text: `
      update users set state = $3, version = version + 1,
        password_hash = case when $3 = 'active' then password_hash end
      where mer_no = $1 and user_id = $2`,
    values: [merNo, userId, state],
  })
}

export async function updateSignedIn(tx: Tx, { merNo, userId }: UserKey, at: Date): Promise<void> {
  await tx.query({
    text: 'update users set signed_in_at = $3 where mer_no = $1 and user_id = $2',
    values: [merNo, userId, at],
  })
}

export async function updateTotpSecret(
  tx: Tx,
  { merNo, userId }: UserKey,
  sealed: Buffer | null,
  step: number | null,
): Promise<void> {
  await tx.query({
    text: `
      update users set totp_secret = $3, totp_step = $4, version = version + 1
      where mer_no = $1 and user_id = $2`,
    values: [merNo, userId, sealed, step],
  })
}

/** False if a code of this time step, or of a later one, was used before. */
export async function takeTotpStep(tx: Tx, { merNo, userId }: UserKey, step: number): Promise<boolean> {
  const rows = await tx.query({
    text: `
      update users set totp_step = $3
      where mer_no = $1 and user_id = $2 and (totp_step is null or totp_step < $3) returning user_id`,
    values: [merNo, userId, step],
  })
  return rows.length > 0
}
