import type { Tx } from '../postgres/db.ts'
import { hashPassword } from './password.ts'
import { insertUser } from './sql.ts'

/** Operators have merchant number 0. */
export type NewUser = {
  readonly merNo: number
  readonly email: string
  readonly password: string
  readonly now: Date
}

export async function createUser(tx: Tx, { merNo, email, password, now }: NewUser): Promise<void> {
  await insertUser(tx, {
    merNo,
    email: email.toLowerCase(),
    role: merNo === 0 ? 'operator' : 'merchant',
    passwordHash: await hashPassword(password),
    createdAt: now,
  })
}
