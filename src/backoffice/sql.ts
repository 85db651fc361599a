import type { Queryable, Tx } from '../postgres/db.ts'

export type UserRow = {
  readonly merNo: number
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly passwordHash: string
  readonly createdAt: Date
}

export async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  const { merNo, userId, email, name, role, passwordHash, createdAt } = row
  await tx.query({
    text: `
      insert into users (mer_no, user_id, email, name, role, state, password_hash, version, created_at)
      values ($1, $2, $3, $4, $5, 'active', $6, 1, $7)`,
    values: [merNo, userId, email, name, role, passwordHash, createdAt],
  })
}

export type FoundUser = {
  readonly mer_no: bigint
  readonly user_id: string
  readonly role: string
  readonly password_hash: string
}

/** Only people who may sign in. */
export async function selectUserByEmail(db: Queryable, email: string): Promise<FoundUser | undefined> {
  const [row] = await db.query<FoundUser>({
    text: `select mer_no, user_id, role, password_hash from users where email = lower($1) and state = 'active'`,
    values: [email],
  })
  return row
}
