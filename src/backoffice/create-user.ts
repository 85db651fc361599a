import { makeId } from '../base/id.ts'
import type { Tx } from '../postgres/db.ts'
import { hashPassword } from './password/password.ts'
import { insertUser } from './sql.ts'

/** Operators have merchant number 0. */
export type NewUser = {
  readonly merNo: number
  readonly email: string
  readonly name: string
  readonly role: string
  /** Without one the person is invited, and sets it by a link. */
  readonly password?: string
  readonly language?: string | null
  readonly now: Date
}

/** Returns the id. */
export async function createUser(tx: Tx, user: NewUser): Promise<string> {
  const { merNo, email, name, role, password, language = null, now } = user
  const userId = makeId('U', merNo, now)
  await insertUser(tx, {
    merNo,
    userId,
    email: email.toLowerCase(),
    name,
    role,
    passwordHash: password === undefined ? null : await hashPassword(password),
    language,
    createdAt: now,
  })
  return userId
}
