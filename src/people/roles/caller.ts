// A caller is a person with a session. This file decides which merchants a caller may name.
import type { Approver } from '../../money/approvals/may-approve.ts'
import type { Actor } from '../../platform/audit-log/entry.ts'
import type { Clock } from '../../platform/base/clock.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type Permission, PLATFORM } from './permissions.ts'

export type Caller = {
  readonly userId: string
  readonly email: string
  readonly name: string
  /** The number of the person's company. Operators have 0. */
  readonly merNo: number
  readonly role: string
  readonly permissions: ReadonlySet<Permission>
  /** A hash of the cookie's token. */
  readonly sessionId: string
  readonly address: string
  readonly language: string | null
  readonly factors: readonly Factor[]
  readonly factorRequired: boolean
  /**
   * The time at which the person last gave the second factor, or the password if no factor is needed. Null until the
   * sign-in is complete.
   */
  readonly factorAt: Date | null
}

export type Factor = 'totp' | 'passkey'

export function isOperator({ merNo }: Pick<Caller, 'merNo'>): boolean {
  return merNo === PLATFORM
}

/**
 * Returns the caller's merchant, or the merchant that an operator names. If staff name another merchant, the error says
 * that there is no such merchant. An operator must name a merchant.
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

/**
 * Returns the merchant whose rows a call lists. Undefined if an operator names no merchant: the call then lists all
 * merchants.
 */
export function listedMerchant(caller: Pick<Caller, 'merNo'>, named: number | undefined): number | undefined {
  return isOperator(caller) ? named : merchantOf(caller, named)
}

export function actorOf({ email, address }: Pick<Caller, 'email' | 'address'>): Actor {
  return { kind: 'user', name: email, address }
}

/** Returns the audit line, without its action, of a change to the caller's own account. */
export function ownLine(caller: Caller, at: Date) {
  return { merNo: caller.merNo, at, actor: actorOf(caller), subject: caller.email }
}

export function approverOf(caller: Caller): Approver {
  return {
    actor: actorOf(caller),
    merNo: caller.merNo,
    need(permission) {
      if (!caller.permissions.has(permission))
        throw new Problem('not-allowed', 'Approving this needs the permission to do it yourself.')
    },
  }
}

export type PeopleDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly mode: 'sandbox' | 'live'
  readonly baseUrl: string
  /** The merchant's name, or the platform's name for number 0. */
  companyOf(merNo: number): Promise<string>
}
