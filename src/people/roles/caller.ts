// Who calls: a person with a session, and what this person may see.
import type { Actor } from '../audit-log/entry.ts'
import { type Permission, PLATFORM } from './permissions.ts'
import { Problem } from './problem.ts'

export type Caller = {
  readonly userId: string
  readonly email: string
  readonly name: string
  /** 0 for operators. */
  readonly merNo: number
  readonly role: string
  readonly permissions: ReadonlySet<Permission>
  /** A hash of the token in the cookie. */
  readonly sessionId: string
  readonly address: string
  readonly language: string | null
  /** The second factors that the person has set up. */
  readonly factors: readonly Factor[]
  readonly factorRequired: boolean
  /** When the second factor was last given; null while only the password was. */
  readonly factorAt: Date | null
}

export type Factor = 'totp' | 'passkey'

export function isOperator({ merNo }: Pick<Caller, 'merNo'>): boolean {
  return merNo === PLATFORM
}

/**
 * The merchant whose data a call is about: always the caller's own, and for operators the one that they name. Another
 * merchant's number looks to staff as if it did not exist.
 */
export function merchantOf(caller: Pick<Caller, 'merNo'>, named: number | undefined): number {
  if (!isOperator(caller)) {
    if (named !== undefined && named !== caller.merNo)
      throw new Problem('not-found', 'There is no such merchant.')
    return caller.merNo
  }
  if (named === undefined)
    throw new Problem('invalid', 'Choose a merchant first.', { merNo: 'Choose a merchant.' })
  return named
}

export function actorOf({ email, address }: Pick<Caller, 'email' | 'address'>): Actor {
  return { kind: 'user', name: email, address }
}
