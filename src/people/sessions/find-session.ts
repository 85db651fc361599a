// Finds the session of a cookie. The database has only hashes of tokens, so a stolen copy of the database opens no
// session.
//
// The cost of forged cookies is bounded. A text without the form of a token costs no query. Calls with unknown tokens
// are counted per network and, beyond a limit, refused without a query. Calls of recently found sessions are not
// counted, so people can work while somebody in their network guesses tokens. Only ids of sessions are cached, so the
// end of a session takes effect at once on every node.
import { hash } from 'node:crypto'
import type { Clock } from '../../platform/base/clock.ts'
import { Problem } from '../../platform/errors/problem.ts'
import { networkOf } from '../../platform/http/addresses.ts'
import { countEvents } from '../../platform/http/server/rate-limit.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Caller, Factor } from '../roles/caller.ts'
import { grantable, type Permission, permissionsIn, permissionsOfRole } from '../roles/permissions.ts'
import { type SessionRow, selectSession, updateSeen } from './sql.ts'

/** A session ends this long after its last request. */
export const IDLE_MS = 30 * 60_000
/** A session ends this long after its start. */
export const LONGEST_MS = 12 * 3_600_000
/** The minimum time between two updates of the stored time of a session's last request. */
const SEEN_EVERY_MS = 60_000

type SessionDeps = { readonly db: Db; readonly clock: Clock; readonly mode: 'sandbox' | 'live' }

/**
 * The maximum number of calls with unknown tokens, per network and minute. The limit allows for an office whose people
 * return to expired sessions.
 */
export const UNKNOWN_PER_MINUTE = 300
/** The maximum number of cached sessions. Forged tokens are not cached, so they cannot evict a session. */
const MAX_KNOWN = 10_000

/** A token is 32 random bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

export function sessionIdOf(token: string): string {
  return hash('sha256', token, 'hex')
}

export type Sessions = {
  /**
   * Finds the session of a token, even if its second factor is still missing. Refuses with `too-many` beyond the limit.
   */
  find(token: string | undefined, address: string): Promise<Caller | undefined>
  /** Caches the session that a sign-in has just begun. */
  began(token: string): void
}

export function openSessions(deps: SessionDeps): Sessions {
  const unknown = countEvents(60_000, deps.clock)
  const known = new Set<string>()

  function remember(id: string): void {
    known.delete(id)
    const [oldest] = known
    if (oldest !== undefined && known.size >= MAX_KNOWN) known.delete(oldest)
    known.add(id)
  }

  async function findUnknown(token: string, address: string): Promise<Caller | undefined> {
    const network = networkOf(address)
    // The call is counted before the query, so that simultaneous calls cannot exceed the limit.
    if (unknown.add(network) > UNKNOWN_PER_MINUTE) throw tooMany(unknown.msLeft(network))
    const caller = await findSession(deps, token, address)
    if (caller !== undefined) unknown.takeBack(network)
    return caller
  }

  return {
    async find(token, address) {
      if (token === undefined || !TOKEN.test(token)) return undefined
      const id = sessionIdOf(token)
      const caller = await (known.has(id) ? findSession(deps, token, address) : findUnknown(token, address))
      if (caller === undefined) known.delete(id)
      else remember(id)
      return caller
    },
    began: (token) => remember(sessionIdOf(token)),
  }
}

function tooMany(waitMs: number): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const message = `Too many calls without a session. Try again in ${seconds} s.`
  return new Problem('too-many', message, undefined, seconds)
}

async function findSession(
  { db, clock, mode }: SessionDeps,
  token: string,
  address: string,
): Promise<Caller | undefined> {
  const row = await selectSession(db, sessionIdOf(token))
  if (row === undefined) return undefined
  const now = clock.now()
  const [idleMs, ageMs] = [row.seen_at, row.created_at].map((since) => now.getTime() - since.getTime())
  if (idleMs === undefined || idleMs > IDLE_MS || ageMs === undefined || ageMs > LONGEST_MS) return undefined
  if (idleMs > SEEN_EVERY_MS) await updateSeen(db, row.session_id, now)
  return callerOf(row, address, mode)
}

export function factorsIn(row: { readonly has_totp: boolean; readonly has_passkey: boolean }): Factor[] {
  return [...(row.has_totp ? ['totp' as const] : []), ...(row.has_passkey ? ['passkey' as const] : [])]
}

function callerOf(row: SessionRow, address: string, mode: SessionDeps['mode']): Caller {
  const merNo = Number(row.mer_no)
  const { user_id: userId, email, name, role, language, session_id: sessionId } = row
  return {
    userId,
    email,
    name,
    merNo,
    role,
    language,
    permissions: permissionsIn(mode, permissionsOf(merNo, row)),
    sessionId,
    address,
    factors: factorsIn(row),
    factorRequired: row.factor_required,
    factorAt: row.factor_at,
  }
}

/**
 * The session's permissions. Permissions that no longer exist, or that a defined role may not contain, are left out.
 */
function permissionsOf(merNo: number, { role, permissions }: SessionRow): readonly Permission[] {
  const builtIn = permissionsOfRole(merNo, role)
  return builtIn ?? grantable(merNo).filter((one) => permissions?.includes(one))
}
