// Decides who may give which role to whom. Among colleagues, a caller can grant only permissions that the caller has,
// and can change only people without further permissions. Operators may change all people of a company, but the only
// role that they may give there is that of the first owner, because operators do not act in the company's name.
import type { FieldText } from '../../platform/errors/page-texts.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { lockActiveWithRole } from '../users/store-users.ts'
import { type Caller, isOperator, merchantOf } from './caller.ts'
import { PLATFORM, permissionsOfRole } from './permissions.ts'
import { lockRole } from './sql.ts'

/** The company whose people a call is about. An operator who names no merchant means the platform. */
export function companyOfCall(caller: Caller, named: number | undefined): number {
  return isOperator(caller) ? (named ?? PLATFORM) : merchantOf(caller, named)
}

/** The permissions of a role. Undefined if there is no such role. Locks the row of a defined role. */
export async function permissionsOf(
  tx: Tx,
  merNo: number,
  role: string,
): Promise<readonly string[] | undefined> {
  return permissionsOfRole(merNo, role) ?? (await lockRole(tx, merNo, role))?.permissions
}

/**
 * Refuses a caller who may not give this role. Among colleagues, the caller needs all permissions of the role. In a
 * company, operators may make only the first owner.
 */
export async function requireMayGrant(tx: Tx, caller: Caller, merNo: number, role: string): Promise<void> {
  const wanted = await permissionsOf(tx, merNo, role)
  if (wanted === undefined)
    throw new Problem('invalid', 'There is no such role.', { role: 'Choose one of the roles.' })
  if (caller.merNo === merNo) return requireHasAll(caller, wanted)
  if (role !== 'owner') throw companyGivesRoles()
  await requireNoOwner(tx, merNo)
}

export async function requireNoOwner(tx: Tx, merNo: number): Promise<void> {
  if ((await lockActiveWithRole(tx, merNo, 'owner')).length > 0) throw companyGivesRoles()
}

function companyGivesRoles(): Problem {
  return new Problem(
    'not-allowed',
    'The company gives its roles itself. Operators invite only its first owner.',
  )
}

export function requireHasAll(caller: Caller, wanted: readonly string[]): void {
  const own: ReadonlySet<string> = caller.permissions
  const missing = wanted.filter((one) => !own.has(one))
  if (missing.length > 0)
    throw new Problem('not-allowed', `You cannot give what you do not have: ${missing.join(', ')}.`)
}

/**
 * Refuses a caller who may not change a person with this role. Operators may change everybody of a company. Among
 * colleagues, the caller needs all permissions of the person.
 */
export async function requireMayChange(tx: Tx, caller: Caller, merNo: number, role: string): Promise<void> {
  if (caller.merNo !== merNo) return
  const theirs = (await permissionsOf(tx, merNo, role)) ?? []
  const own: ReadonlySet<string> = caller.permissions
  if (theirs.some((one) => !own.has(one)))
    throw new Problem('not-allowed', 'This person may do more than you. Ask somebody with the same role.')
}

/** The built-in role that at least one person must always have. */
export function topRole(merNo: number): string {
  return merNo === PLATFORM ? 'admin' : 'owner'
}

/**
 * Refuses if the person is the last active one with the top role. Locks the rows of all active people with that role,
 * so that the last two people cannot remove each other at the same moment.
 */
export async function requireNotLast(tx: Tx, merNo: number, userId: string, role: string): Promise<void> {
  const top = topRole(merNo)
  if (role !== top) return
  const others = (await lockActiveWithRole(tx, merNo, top)).filter((one) => one !== userId)
  if (others.length > 0) return
  const why: FieldText = `This is the last ${top}. Give the role to somebody else first.`
  throw new Problem('refused', why, { role: why })
}
