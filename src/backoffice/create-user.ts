import { makeId } from '../base/id.ts'
import type { Tx } from '../postgres/db.ts'
import { hashPassword } from './password.ts'
import { insertUser } from './sql.ts'

/** Operators have merchant number 0. */
export type NewUser = {
  readonly merNo: number
  readonly email: string
  readonly name: string
  readonly role: string
  readonly password: string
  readonly now: Date
}

export async function createUser(
  tx: Tx,
  { merNo, email, name, role, password, now }: NewUser,
): Promise<void> {
  await insertUser(tx, {
    merNo,
    userId: makeId('U', merNo, now),
    email: email.toLowerCase(),
    name,
    role,
    passwordHash: await hashPassword(password),
    createdAt: now,
  })
}
