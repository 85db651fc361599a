import type { Queryable, Tx } from '../../postgres/db.ts'

export type SessionRow = {
  readonly mer_no: bigint
  readonly session_id: string
  readonly user_id: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly language: string | null
  readonly permissions: readonly string[] | null
  readonly has_factor: boolean
  readonly created_at: Date
  readonly seen_at: Date
  readonly factor_at: Date | null
}

/** Sessions of people who were disabled do not count. `permissions` are those of a role that people defined. */
export async function selectSession(db: Queryable, sessionId: string): Promise<SessionRow | undefined> {
  const [row] = await db.query<SessionRow>({
    name: 'sessions.find',
    text: `
      select s.mer_no, s.session_id, s.user_id, u.email, u.name, u.role, u.language, r.permissions,
        u.totp_secret is not null as has_factor, s.created_at, s.seen_at, s.factor_at
      from sessions s
      join users u using (mer_no, user_id)
      left join roles r on r.mer_no = u.mer_no and r.role = u.role
      where s.session_id = $1 and s.ended_at is null and u.state = 'active'`,
    values: [sessionId],
  })
  return row
}

export async function updateSeen(db: Queryable, sessionId: string, at: Date): Promise<void> {
  await db.query({
    name: 'sessions.seen',
    text: 'update sessions set seen_at = $2 where session_id = $1',
    values: [sessionId, at],
  })
}

export type NewSession = {
  readonly merNo: number
  readonly sessionId: string
  readonly userId: string
  readonly at: Date
  readonly factorAt: Date | null
  readonly address: string
  readonly agent: string
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  const { merNo, sessionId, userId, at, factorAt, address, agent } = session
  await tx.query({
    name: 'sessions.insert',
    text: `
      insert into sessions (mer_no, session_id, user_id, created_at, seen_at, factor_at, address, agent)
      values ($1, $2, $3, $4, $4, $5, $6, $7)`,
    values: [merNo, sessionId, userId, at, factorAt, address, agent],
  })
}

export async function endSession(db: Queryable, sessionId: string, at: Date): Promise<void> {
  await db.query({
    name: 'sessions.end',
    text: 'update sessions set ended_at = $2 where session_id = $1 and ended_at is null',
    values: [sessionId, at],
  })
}
