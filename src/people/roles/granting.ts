// Who may give which role to whom. Nobody grants what he does not have, and nobody changes a person who may do more than he.
// Operators do not grant the permissions of a company, except to its first owner: they do not act in its name.
import type { Tx } from '../../postgres/db.ts'
import { type Caller, isOperator, merchantOf } from '../caller.ts'
import type { FieldText } from '../field-texts.ts'
import { PLATFORM, permissionsOfRole } from '../permissions.ts'
import { Problem } from '../problem.ts'
import { lockActiveWithRole } from '../sql.ts'
import { lockRole } from './role-sql.ts'

/** Operators name a merchant, or mean the platform. */
export function companyOfCall(caller: Caller, named: number | undefined): number {
  return isOperator(caller) ? (named ?? PLATFORM) : merchantOf(caller, named)
}

/** Of a built-in role or of one that people defined. */
export async function permissionsOf(
  tx: Tx,
  merNo: number,
  role: string,
): Promise<readonly string[] | undefined> {
  return permissionsOfRole(merNo, role) ?? (await lockRole(tx, merNo, role))?.permissions
}

/** The role must exist, and the caller must have all of its permissions. */
export async function requireMayGrant(tx: Tx, caller: Caller, merNo: number, role: string): Promise<void> {
  const wanted = await permissionsOf(tx, merNo, role)
  if (wanted === undefined)
    throw new Problem('invalid', 'There is no such role.', { role: 'Choose one of the roles.' })
  if (caller.merNo === merNo) return requireHasAll(caller, wanted)
  if (role === 'owner' && (await lockActiveWithRole(tx, merNo, 'owner')).length === 0) return
  throw new Problem(
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

/** Operators may act on everybody of a company; others only on people who may do no more than they. */
export async function requireMayChange(tx: Tx, caller: Caller, merNo: number, role: string): Promise<void> {
  if (caller.merNo !== merNo) return
  const theirs = (await permissionsOf(tx, merNo, role)) ?? []
  const own: ReadonlySet<string> = caller.permissions
  if (theirs.some((one) => !own.has(one)))
    throw new Problem('not-allowed', 'This person may do more than you. Ask somebody with the same role.')
}

/** The role that can do everything. */
export function topRole(merNo: number): string {
  return merNo === PLATFORM ? 'admin' : 'owner'
}

/** Locks all who have it: two people cannot remove each other at the same moment. */
export async function requireNotLast(tx: Tx, merNo: number, userId: string, role: string): Promise<void> {
  const top = topRole(merNo)
  if (role !== top) return
  const others = (await lockActiveWithRole(tx, merNo, top)).filter((one) => one !== userId)
  if (others.length > 0) return
  const why: FieldText = `This is the last ${top}. Give the role to somebody else first.`
  throw new Problem('refused', why, { role: why })
}
