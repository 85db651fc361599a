// People see and end their own sessions. A session ends at once on every node.
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { actorOf, type Caller, type PeopleDeps } from '../roles/caller.ts'
import { IDLE_MS, LONGEST_MS } from './find-session.ts'
import { endOwnSession, endSession, endSessionsOf, type ListedSession, selectSessionsOf } from './sql.ts'

type Deps = Pick<PeopleDeps, 'db' | 'clock'>

/** Returns the caller's sessions that have not ended, newest first. */
export function listSessions({ db, clock }: Deps, caller: Caller): Promise<ListedSession[]> {
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)
  return selectSessionsOf(db, caller, { seenAfter: ago(IDLE_MS), createdAfter: ago(LONGEST_MS) })
}

export async function signOut({ db, clock }: Deps, caller: Caller): Promise<void> {
  const { merNo, email, sessionId, factorAt } = caller
  const at = clock.now()
  await db.transaction(async (tx) => {
    await endSession(tx, sessionId, at)
    // The sign-in was not complete, so there is no sign-out to record.
    if (factorAt === null) return
    await writeAudit(tx, { merNo, at, actor: actorOf(caller), action: 'user.sign-out', subject: email })
  })
}

export function endOneSession({ db, clock }: Deps, caller: Caller, sessionId: string): Promise<void> {
  const { merNo, email } = caller
  return db.transaction(async (tx) => {
    const at = clock.now()
    if (!(await endOwnSession(tx, caller, sessionId, at)))
      throw new Problem('not-found', 'This session has ended already.')
    await writeAudit(tx, { merNo, at, actor: actorOf(caller), action: 'session.end', subject: email })
  })
}

/** Ends all sessions but the caller's current session. Returns the number of ended sessions. */
export function endOtherSessions({ db, clock }: Deps, caller: Caller): Promise<number> {
  const { merNo, email } = caller
  return db.transaction(async (tx) => {
    const at = clock.now()
    const ended = await endSessionsOf(tx, caller, at, caller.sessionId)
    const entry = { merNo, at, actor: actorOf(caller), subject: email, after: { ended } }
    await writeAudit(tx, { ...entry, action: 'session.end-others' })
    return ended
  })
}

/** Ends all sessions of a person whose role, state or password changes. */
export async function endAllSessions(
  tx: Tx,
  person: { readonly merNo: number; readonly userId: string },
  at: Date,
): Promise<void> {
  await endSessionsOf(tx, person, at)
}
