// Owns session_challenges. A challenge is random bytes that a passkey signs, or the unconfirmed secret of an
// authenticator app. A challenge is encrypted for one session and one purpose, and expires after ten minutes.
import { randomBytes } from 'node:crypto'
import type { Vault } from '../../platform/base/secret.ts'
import type { Queryable } from '../../platform/postgres/db.ts'

type Session = { readonly merNo: number; readonly sessionId: string }
type Purpose = 'totp' | 'new-passkey' | 'passkey'

export const CHALLENGE_MS = 10 * 60_000

export async function putChallenge(
  db: Queryable,
  vault: Vault,
  session: Session,
  purpose: Purpose,
  now: Date,
  secret = randomBytes(32).toString('base64url'),
): Promise<string> {
  const sealed = vault.seal(secret, contextOf(session, purpose))
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS)
  await db.query({
    text: `
      insert into session_challenges (mer_no, session_id, purpose, sealed, expires_at) values ($1, $2, $3, $4, $5)
      on conflict (mer_no, session_id, purpose) do update set sealed = excluded.sealed, expires_at = excluded.expires_at`,
    values: [session.merNo, session.sessionId, purpose, sealed, expiresAt],
  })
  return secret
}

type Row = { readonly sealed: Buffer; readonly expires_at: Date }

/** Deletes and returns the challenge, so that it can be used only once. */
export async function takeChallenge(
  db: Queryable,
  vault: Vault,
  session: Session,
  purpose: Purpose,
  now: Date,
): Promise<string | undefined> {
  const [row] = await db.query<Row>({
    text: `
      delete from session_challenges where mer_no = $1 and session_id = $2 and purpose = $3
      returning sealed, expires_at`,
    values: [session.merNo, session.sessionId, purpose],
  })
  return row && row.expires_at > now ? vault.open(row.sealed, contextOf(session, purpose)) : undefined
}

/**
 * Returns the secret of an authenticator app. The challenge stays, so that a person can retry after a mistyped code.
 */
export async function readTotpChallenge(
  db: Queryable,
  vault: Vault,
  session: Session,
  now: Date,
): Promise<string | undefined> {
  const [row] = await db.query<Row>({
    text: `
      select sealed, expires_at from session_challenges
      where mer_no = $1 and session_id = $2 and purpose = 'totp'`,
    values: [session.merNo, session.sessionId],
  })
  return row && row.expires_at > now ? vault.open(row.sealed, contextOf(session, 'totp')) : undefined
}

function contextOf({ sessionId }: Session, purpose: Purpose): string {
  return `challenge:${purpose}:${sessionId}`
}

export async function deleteExpiredChallenges(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await db.query({
    text: `
      delete from session_challenges where (mer_no, session_id, purpose) in (
        select mer_no, session_id, purpose from session_challenges where expires_at < $1 limit $2)
      returning session_id`,
    values: [now, limit],
  })
  return rows.length
}
