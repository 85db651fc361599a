// Owns the table users: everybody who has an account or an invitation, at a merchant or at the platform.
import { makeId } from '../../platform/base/id.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { containsAnyCase } from '../../platform/postgres/texts.ts'
import { hashPassword } from '../passwords/password.ts'

type UserState = 'invited' | 'active' | 'disabled'

export type UserRow = {
  readonly mer_no: bigint
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly state: UserState
  /** The hash of the person's password. Null until the person has set a password. */
  readonly password_hash: string | null
  readonly totp_secret: Buffer | null
  readonly language: string | null
  readonly signed_in_at: Date | null
  readonly created_at: Date
  readonly version: number
}

const columns =
  'mer_no, user_id, email, name, role, state, password_hash, totp_secret, language, signed_in_at, created_at, version'

/** Identifies a person. Operators have merchant number 0. */
export type Person = { readonly merNo: number; readonly userId: string }

export function personOf({ mer_no, user_id: userId }: Pick<UserRow, 'mer_no' | 'user_id'>): Person {
  return { merNo: Number(mer_no), userId }
}

type NewUser = Pick<NewUserRow, 'merNo' | 'email' | 'name' | 'role'> & {
  /** The person's id, if an approval has already fixed the id. */
  readonly userId?: string
  /** A person without a password is invited, and sets a password by a link. */
  readonly password?: string
  readonly language?: string | null
  readonly now: Date
}

/** Creates a person. Returns the person's id. */
export async function createUser(tx: Tx, user: NewUser): Promise<string> {
  const { merNo, email, name, role, password, language = null, now } = user
  const userId = user.userId ?? makeId('U', merNo, now)
  await insertUser(tx, {
    merNo,
    userId,
    email: email.toLowerCase(),
    name,
    role,
    passwordHash: password === undefined ? null : await hashPassword(password),
    language,
    createdAt: now,
  })
  return userId
}

type NewUserRow = Person & {
  readonly email: string
  readonly name: string
  readonly role: string
  readonly passwordHash: string | null
  readonly language: string | null
  readonly createdAt: Date
}

export async function insertUser(tx: Tx, row: NewUserRow): Promise<void> {
  const { merNo, userId, email, name, role, passwordHash, language, createdAt } = row
  const state: UserState = passwordHash === null ? 'invited' : 'active'
  await tx.query({
    text: `
      insert into users (mer_no, user_id, email, name, role, state, password_hash, language, version, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9)`,
    values: [merNo, userId, email, name, role, state, passwordHash, language, createdAt],
  })
}

/**
 * Returns the person who can sign in with this address. People who are only invited, or are disabled, are not returned.
 */
export async function selectActiveUser(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>({
    name: 'users.active',
    text: `select ${columns} from users where email = lower($1) and state = 'active'`,
    values: [email],
  })
  return row
}

/** The rows of an address in all companies, in any state. At most one row is active. */
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

/** Finds people whose name or address contains the text. No index helps, but a company has few people. */
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

export async function selectWithRole(
  db: Queryable,
  merNo: number,
  role: string,
): Promise<Pick<UserRow, 'email' | 'language' | 'state'>[]> {
  return db.query({
    text: 'select email, language, state from users where mer_no = $1 and role = $2 order by user_id',
    values: [merNo, role],
  })
}

/**
 * Locks the rows of all active people with this role until the transaction ends, so that no other transaction can
 * remove one of them.
 */
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

/** Stores the password, and makes the person active. */
export async function updatePassword(tx: Tx, { merNo, userId }: Person, hash: string): Promise<void> {
  await tx.query({
    text: `
      update users set password_hash = $3, state = 'active', version = version + 1
      where mer_no = $1 and user_id = $2`,
    values: [merNo, userId, hash],
  })
}

/**
 * Replaces the hash by another hash of the same password. Changes nothing if the password was changed since the read.
 */
export async function renewHash(tx: Tx, { merNo, userId }: Person, old: string, hash: string): Promise<void> {
  await tx.query({
    text: `update users set password_hash = $4 where mer_no = $1 and user_id = $2 and password_hash = $3`,
    values: [merNo, userId, old, hash],
  })
}

export async function updateProfile(
  tx: Tx,
  { merNo, userId }: Person,
  { name, language }: { name: string; language: string | null },
): Promise<void> {
  await tx.query({
    text: `update users set name = $3, language = $4, version = version + 1 where mer_no = $1 and user_id = $2`,
    values: [merNo, userId, name, language],
  })
}

export async function updateRole(tx: Tx, { merNo, userId }: Person, role: string): Promise<void> {
  await tx.query({
    text: 'update users set role = $3, version = version + 1 where mer_no = $1 and user_id = $2',
    values: [merNo, userId, role],
  })
}

/** Changes the state. Every state but `active` removes the password, so an enabled person must set a new one. */
export async function updateState(tx: Tx, { merNo, userId }: Person, state: UserState): Promise<void> {
  await tx.query({
    text: `
      update users set state = $3, version = version + 1,
        password_hash = case when $3 = 'active' then password_hash end
      where mer_no = $1 and user_id = $2`,
    values: [merNo, userId, state],
  })
}

export async function updateSignedIn(tx: Tx, { merNo, userId }: Person, at: Date): Promise<void> {
  await tx.query({
    text: 'update users set signed_in_at = $3 where mer_no = $1 and user_id = $2',
    values: [merNo, userId, at],
  })
}

export async function updateTotpSecret(
  tx: Tx,
  { merNo, userId }: Person,
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

/** Uses up the code of this time step. Returns false if the code of this step or a later step was used before. */
export async function takeTotpStep(tx: Tx, { merNo, userId }: Person, step: number): Promise<boolean> {
  const rows = await tx.query({
    text: `
      update users set totp_step = $3
      where mer_no = $1 and user_id = $2 and (totp_step is null or totp_step < $3) returning user_id`,
    values: [merNo, userId, step],
  })
  return rows.length > 0
}
