// What a session was asked to prove: random bytes that a passkey signs, or the secret of an app that is not confirmed yet.
// It is bound to the session, and a passkey's challenge counts once.
import { randomBytes } from 'node:crypto'
import type { Vault } from '../../base/secret.ts'
import type { Queryable } from '../../postgres/db.ts'
import { type ChallengePurpose, putChallengeRow, selectChallengeRow, takeChallengeRow } from './sql.ts'

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
