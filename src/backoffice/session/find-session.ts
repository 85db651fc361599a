// Finds the session of a cookie. The database holds only hashes of tokens, so a copy of it opens no session.
import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Db } from '../../postgres/db.ts'
import type { Caller } from '../caller.ts'
import { grantable, type Permission, permissionsOfRole } from '../permissions.ts'
import { type SessionRow, selectSession, updateSeen } from './sql.ts'

/** A session ends this long after its last request, and this long after it began. */
export const IDLE_MS = 30 * 60_000
export const LONGEST_MS = 12 * 3_600_000
/** A session that is used is not written at every request. */
const SEEN_EVERY_MS = 60_000

export type SessionDeps = { readonly db: Db; readonly clock: Clock }

export function sessionIdOf(token: string): string {
  return hash('sha256', token, 'hex')
}

/** Also a session that still lacks its second factor. */
export async function findSession(
  { db, clock }: SessionDeps,
  token: string,
  address: string,
): Promise<Caller | undefined> {
  const row = await selectSession(db, sessionIdOf(token))
  if (row === undefined) return undefined
  const now = clock.now()
  const [idleMs, ageMs] = [row.seen_at, row.created_at].map((since) => now.getTime() - since.getTime())
  if (idleMs === undefined || idleMs > IDLE_MS || ageMs === undefined || ageMs > LONGEST_MS) return undefined
  if (idleMs > SEEN_EVERY_MS) await updateSeen(db, row.session_id, now)
  return callerOf(row, address)
}

function callerOf(row: SessionRow, address: string): Caller {
  const merNo = Number(row.mer_no)
  const { user_id: userId, email, name, role, language, session_id: sessionId } = row
  return {
    userId,
    email,
    name,
    merNo,
    role,
    language,
    permissions: permissionsOf(merNo, row),
    sessionId,
    address,
    factors: [...(row.has_totp ? ['totp' as const] : []), ...(row.has_passkey ? ['passkey' as const] : [])],
    factorRequired: row.factor_required,
    factorAt: row.factor_at,
  }
}

/** A permission that no longer exists, or that this kind of user may not have, is left out. */
function permissionsOf(merNo: number, { role, permissions }: SessionRow): ReadonlySet<Permission> {
  const builtIn = permissionsOfRole(merNo, role)
  return new Set(builtIn ?? grantable(merNo).filter((one) => permissions?.includes(one)))
}
