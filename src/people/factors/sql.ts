import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { itself, listOf, text } from '../../platform/postgres/lists.ts'

type Person = { readonly merNo: number; readonly userId: string }

export type PasskeyRow = {
  readonly passkey_id: string
  readonly name: string
  readonly public_key: Buffer
  readonly sign_count: bigint
  readonly transports: readonly string[]
  readonly created_at: Date
  readonly used_at: Date | null
}

export async function selectPasskeys(db: Queryable, { merNo, userId }: Person): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>({
    text: `
      select passkey_id, name, public_key, sign_count, transports, created_at, used_at from passkeys
      where mer_no = $1 and user_id = $2 order by created_at, passkey_id`,
    values: [merNo, userId],
  })
}

/** Converts passkeys to the form that browsers accept. */
export function credentialsOf(rows: readonly PasskeyRow[]) {
  return rows.map(({ passkey_id: id, transports }) => {
    return { type: 'public-key' as const, id, transports: [...transports] }
  })
}

export type NewPasskeyRow = Person & {
  readonly passkeyId: string
  readonly name: string
  readonly publicKey: Buffer
  readonly signCount: number
  readonly transports: readonly string[]
  readonly now: Date
}

/** Adds a passkey. Returns false if the passkey exists already. */
export async function insertPasskey(tx: Tx, row: NewPasskeyRow): Promise<boolean> {
  const { merNo, userId, passkeyId, name, publicKey, signCount, transports, now } = row
  const rows = await tx.query({
    text: `
      insert into passkeys (mer_no, passkey_id, user_id, name, public_key, sign_count, transports, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning passkey_id`,
    values: [merNo, passkeyId, userId, name, publicKey, signCount, transports, now],
  })
  return rows.length > 0
}

/** Stores the new signature counter. Returns false if another sign-in has stored the same or a higher counter. */
export async function recordPasskeyUse(
  tx: Tx,
  { merNo, userId }: Person,
  { passkeyId, signCount, now }: { passkeyId: string; signCount: number; now: Date },
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      update passkeys set sign_count = $4, used_at = $5
      where mer_no = $1 and passkey_id = $3 and user_id = $2 and (sign_count < $4 or (sign_count = 0 and $4 = 0))
      returning passkey_id`,
    values: [merNo, userId, passkeyId, signCount, now],
  })
  return rows.length > 0
}

export async function deletePasskey(tx: Tx, { merNo, userId }: Person, passkeyId: string): Promise<boolean> {
  const rows = await tx.query({
    text: 'delete from passkeys where mer_no = $1 and user_id = $2 and passkey_id = $3 returning passkey_id',
    values: [merNo, userId, passkeyId],
  })
  return rows.length > 0
}

export async function deleteFactors(tx: Tx, { merNo, userId }: Person): Promise<void> {
  const values = [merNo, userId]
  await tx.query({ text: 'delete from passkeys where mer_no = $1 and user_id = $2', values })
  await tx.query({ text: 'delete from recovery_codes where mer_no = $1 and user_id = $2', values })
}

export async function replaceRecoveryCodes(
  tx: Tx,
  { merNo, userId }: Person,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query({
    text: 'delete from recovery_codes where mer_no = $1 and user_id = $2',
    values: [merNo, userId],
  })
  await tx.query({
    text: `
      insert into recovery_codes (mer_no, user_id, code_hash, created_at)
      select $1::bigint, $2::text, code_hash, $3::timestamptz from ${codes.text}`,
    values: [merNo, userId, now, ...codes.values(hashes)],
  })
}

const codes = listOf({ code_hash: text<string>(itself) }, 4)

/** Uses up a code. Returns how many codes are left; undefined if this code does not exist or was used. */
export async function takeRecoveryCode(
  tx: Tx,
  { merNo, userId }: Person,
  hash: string,
  now: Date,
): Promise<number | undefined> {
  const taken = await tx.query({
    text: `
      update recovery_codes set used_at = $4
      where mer_no = $1 and user_id = $2 and code_hash = $3 and used_at is null returning code_hash`,
    values: [merNo, userId, hash, now],
  })
  return taken.length === 0 ? undefined : countRecoveryCodes(tx, { merNo, userId })
}

export async function countRecoveryCodes(db: Queryable, { merNo, userId }: Person): Promise<number> {
  const [row] = await db.query<{ left: number }>({
    text: `
      select count(*)::int as left from recovery_codes
      where mer_no = $1 and user_id = $2 and used_at is null`,
    values: [merNo, userId],
  })
  return row?.left ?? 0
}

export type ChallengePurpose = 'totp' | 'new-passkey' | 'passkey'

type SessionKey = { readonly merNo: number; readonly sessionId: string }

export async function putChallengeRow(
  tx: Queryable,
  { merNo, sessionId }: SessionKey,
  purpose: ChallengePurpose,
  sealed: Buffer,
  expiresAt: Date,
): Promise<void> {
  await tx.query({
    text: `
      insert into session_challenges (mer_no, session_id, purpose, sealed, expires_at) values ($1, $2, $3, $4, $5)
      on conflict (mer_no, session_id, purpose) do update set sealed = excluded.sealed, expires_at = excluded.expires_at`,
    values: [merNo, sessionId, purpose, sealed, expiresAt],
  })
}

/** Deletes and returns the challenge, so that the challenge can be used only once. */
export async function takeChallengeRow(
  tx: Queryable,
  { merNo, sessionId }: SessionKey,
  purpose: ChallengePurpose,
  now: Date,
): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ sealed: Buffer; expires_at: Date }>({
    text: `
      delete from session_challenges where mer_no = $1 and session_id = $2 and purpose = $3
      returning sealed, expires_at`,
    values: [merNo, sessionId, purpose],
  })
  return row !== undefined && row.expires_at > now ? row.sealed : undefined
}

/** Returns the challenge without deleting it, so that a person can retry after a mistyped code. */
export async function selectChallengeRow(
  tx: Queryable,
  { merNo, sessionId }: SessionKey,
  purpose: ChallengePurpose,
  now: Date,
): Promise<Buffer | undefined> {
  const [row] = await tx.query<{ sealed: Buffer }>({
    text: `
      select sealed from session_challenges
      where mer_no = $1 and session_id = $2 and purpose = $3 and expires_at > $4`,
    values: [merNo, sessionId, purpose, now],
  })
  return row?.sealed
}

export async function deleteExpiredRows(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await db.query({
    text: `
      delete from session_challenges where (mer_no, session_id, purpose) in (
        select mer_no, session_id, purpose from session_challenges where expires_at < $1 limit $2)
      returning session_id`,
    values: [now, limit],
  })
  return rows.length
}
