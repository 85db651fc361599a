import type { Queryable, Tx } from '../postgres/db.ts'

export type UserRow = {
  readonly merNo: number
  readonly email: string
  readonly role: 'operator' | 'merchant'
  readonly passwordHash: string
  readonly createdAt: Date
}

export async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  await tx.query({
    text: 'insert into users (mer_no, email, role, password_hash, created_at) values ($1, $2, $3, $4, $5)',
    values: [row.merNo, row.email, row.role, row.passwordHash, row.createdAt],
  })
}

export async function selectPasswordHash(
  db: Queryable,
  merNo: number,
  email: string,
): Promise<string | undefined> {
  const rows = await db.query<{ password_hash: string }>({
    text: 'select password_hash from users where mer_no = $1 and email = $2',
    values: [merNo, email],
  })
  return rows[0]?.password_hash
}
