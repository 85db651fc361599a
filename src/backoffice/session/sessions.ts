// Bounds what cookies of strangers cost. A text that no sign-in can have set costs nothing. Unknown sessions are counted by
// network, and beyond a limit they are refused without a query. Sessions that were found lately are not counted: people go on
// while somebody in their network guesses. Nothing else is kept, so a session that is ended ends at once on every node.

import { networkOf } from '../../http/addresses.ts'
import { countEvents } from '../../http/server/rate-limit.ts'
import type { Caller } from '../caller.ts'
import { Problem } from '../problem.ts'
import { findSession, type SessionDeps, sessionIdOf } from './find-session.ts'

/** A network may be an office, whose people come back to pages that were left open. */
export const UNKNOWN_PER_MINUTE = 300
/** Only sign-ins add to them, so strangers cannot push anybody out. */
const MAX_KNOWN = 10_000

/** 32 random bytes as base64url. */
const TOKEN = /^[\w-]{43}$/

export type Sessions = {
  /** Also a session that still lacks its second factor. Refuses with `too-many`. */
  find(token: string | undefined, address: string): Promise<Caller | undefined>
  /** A sign-in set this token. */
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
    // Counted before the query: calls at the same moment cannot exceed the limit.
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
  return new Problem(
    'too-many',
    `Too many calls without a session. Try again in ${seconds} s.`,
    undefined,
    seconds,
  )
}
