import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Person } from '../users/store-users.ts'

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

type NewPasskeyRow = Person & {
  readonly passkeyId: string
  readonly name: string
  readonly publicKey: Buffer
  readonly signCount: number
  readonly transports: readonly string[]
  readonly now: Date
}

/** Stores a passkey. Returns false if the passkey is stored already. */
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

/**
 * Stores the new signature counter. Returns false if another sign-in has stored the same or a higher counter. A counter
 * of 0 may stay 0, because some authenticators do not count.
 */
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

export async function deletePasskeys(tx: Tx, { merNo, userId }: Person): Promise<void> {
  await tx.query({
    text: 'delete from passkeys where mer_no = $1 and user_id = $2',
    values: [merNo, userId],
  })
}
