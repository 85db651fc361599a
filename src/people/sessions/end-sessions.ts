// Lists and ends sessions. People end their own sessions. `endAllSessions` ends all sessions of a person whose role,
// state, factors or password changed. An ended session is refused at once on every node, because each call reads it
// from the database.
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { type Caller, ownLine, type PeopleDeps } from '../roles/caller.ts'
import type { Person } from '../users/store-users.ts'
import { IDLE_MS, LONGEST_MS } from './find-session.ts'
import { endOwnSession, endSession, endSessionsOf, type ListedSession, selectSessionsOf } from './sql.ts'

type Deps = Pick<PeopleDeps, 'db' | 'clock'>

export function listSessions({ db, clock }: Deps, caller: Caller): Promise<ListedSession[]> {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)
  return selectSessionsOf(db, caller, { seenAfter: ago(IDLE_MS), createdAfter: ago(LONGEST_MS) })
}

export async function signOut({ db, clock }: Deps, caller: Caller): Promise<void> {
  const at = clock.now()
  await db.transaction(async (tx) => {
    await endSession(tx, caller.sessionId, at)
    // The audit log records only complete sign-ins, so it also records only the ends of complete sign-ins.
    if (caller.factorAt !== null) await writeAudit(tx, { ...ownLine(caller, at), action: 'user.sign-out' })
  })
}

export function endOneSession({ db, clock }: Deps, caller: Caller, sessionId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const at = clock.now()
    if (!(await endOwnSession(tx, caller, sessionId, at)))
      throw new Problem('not-found', 'This session has ended already.')
    await writeAudit(tx, { ...ownLine(caller, at), action: 'session.end' })
  })
}

export function endOtherSessions({ db, clock }: Deps, caller: Caller): Promise<number> {
  return db.transaction(async (tx) => {
    const at = clock.now()
    const ended = await endSessionsOf(tx, caller, at, caller.sessionId)
    await writeAudit(tx, { ...ownLine(caller, at), action: 'session.end-others', after: { ended } })
    return ended
  })
}

export async function endAllSessions(tx: Tx, person: Person, at: Date): Promise<void> {
  await endSessionsOf(tx, person, at)
}
