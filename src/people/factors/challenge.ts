// A challenge is random bytes that a passkey signs, or the unconfirmed secret of an authenticator app. A challenge is
// encrypted for one session and one purpose, and expires after ten minutes. A passkey's challenge can be used once.
import { randomBytes } from 'node:crypto'
import type { Vault } from '../../platform/base/secret.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import {
  type ChallengePurpose,
  deleteExpiredRows,
  putChallengeRow,
  selectChallengeRow,
  takeChallengeRow,
} from './sql.ts'

type Session = { readonly merNo: number; readonly sessionId: string }

export const CHALLENGE_MS = 10 * 60_000

export async function putChallenge(
  db: Queryable,
  vault: Vault,
  session: Session,
  purpose: ChallengePurpose,
  now: Date,
  secret = randomBytes(32).toString('base64url'),
): Promise<string> {
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS)
  await putChallengeRow(db, session, purpose, vault.seal(secret, contextOf(session, purpose)), expiresAt)
  return secret
}

export async function takeChallenge(
  db: Queryable,
  vault: Vault,
  session: Session,
  purpose: ChallengePurpose,
  now: Date,
): Promise<string | undefined> {
  const sealed = await takeChallengeRow(db, session, purpose, now)
  return sealed && vault.open(sealed, contextOf(session, purpose))
}

export async function readChallenge(
  db: Queryable,
  vault: Vault,
  session: Session,
  purpose: ChallengePurpose,
  now: Date,
): Promise<string | undefined> {
  const sealed = await selectChallengeRow(db, session, purpose, now)
  return sealed && vault.open(sealed, contextOf(session, purpose))
}

function contextOf({ sessionId }: Session, purpose: ChallengePurpose): string {
  return `challenge:${purpose}:${sessionId}`
}

/** Deletes at most `limit` expired challenges and returns their number. */
export function deleteExpiredChallenges(db: Queryable, now: Date, limit: number): Promise<number> {
  return deleteExpiredRows(db, now, limit)
}
