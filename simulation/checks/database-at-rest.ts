// Reads the database's sessions during a pause. No session may wait for a lock, keep a transaction open for long, or
// hold an advisory lock.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Check, Finding } from '../check.ts'
import type { World } from '../world/world.ts'

type Session = {
  readonly pid: number
  readonly state: string | null
  readonly waits_for_lock: boolean
  readonly has_advisory_lock: boolean
  /** The age of the session's transaction. */
  readonly age_ms: number
  readonly query: string
}

/** The maximum age of a transaction. No statement of an idle worker takes this long. */
const LONGEST_TRANSACTION_MS = 10_000
/** Sessions are read again after this time. Only a session that breaks the rules both times is reported. */
const AGAIN_AFTER_MS = 2_000
/** About the maximum number of connections of a gateway: pools of 17 and 8, and one connection that listens. */
const MOST_BY_NODE = 25
const MOST_OTHERS = 30

export const databaseAtRest: Check = {
  name: 'the database is at rest',
  promise: 'In a pause no session waits for a lock, keeps a transaction open, or is one too many.',
  async run(world) {
    const before = await readSessions(world)
    const suspect = before.filter((one) => complaintOf(one) !== undefined)
    if (suspect.length > 0) await sleep(AGAIN_AFTER_MS)
    const after = suspect.length > 0 ? await readSessions(world) : before
    const findings = after.flatMap((session): Finding[] => {
      const what = complaintOf(session)
      const isSame = suspect.some(({ pid }) => pid === session.pid)
      return what === undefined || !isSame ? [] : [{ what, about: '', rows: session }]
    })
    return { compared: before.length, findings: [...findings, ...(await countComplaints(world, before))] }
  },
}

function complaintOf(session: Session): string | undefined {
  const { state, age_ms: ageMs } = session
  if (session.waits_for_lock) return 'a session waits for a lock'
  if (session.has_advisory_lock) return 'a session keeps an advisory lock'
  if (ageMs <= LONGEST_TRANSACTION_MS) return undefined
  return `a session is ${state} for ${Math.round(ageMs / 1000)} s in one transaction`
}

async function countComplaints({ db, nodes }: World, sessions: readonly Session[]): Promise<Finding[]> {
  const most = nodes.length * MOST_BY_NODE + MOST_OTHERS
  const prepared = await db.query({ text: 'select gid, prepared from pg_prepared_xacts' })
  return [
    ...(sessions.length <= most ? [] : [{ what: `the database has ${sessions.length} sessions`, about: '' }]),
    ...(prepared.length === 0 ? [] : [{ what: 'a prepared transaction is left', about: '', rows: prepared }]),
  ]
}

async function readSessions({ db }: World): Promise<Session[]> {
  return await db.query<Session>({
    text: `
      select s.pid, s.state, s.wait_event_type is not distinct from 'Lock' as waits_for_lock,
        exists (select from pg_locks k where k.pid = s.pid and k.locktype = 'advisory') as has_advisory_lock,
        coalesce(extract(epoch from clock_timestamp() - s.xact_start) * 1000, 0)::int as age_ms, left(s.query, 300) as query
      from pg_stat_activity s
      where s.datname = current_database() and s.backend_type = 'client backend' and s.pid <> pg_backend_pid()`,
  })
}
