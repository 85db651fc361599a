// Companies and the platform define roles as lists of permissions. Built-in roles cannot be changed.
import { writeAudit } from '../../platform/audit-log/write-entry.ts'
import { Problem } from '../../platform/errors/problem.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { countByRole } from '../users/store-users.ts'
import { actorOf, type Caller, type PeopleDeps } from './caller.ts'
import { requireHasAll } from './granting.ts'
import { grantable, merchantRoles, operatorRoles, PLATFORM, permissionsOfRole } from './permissions.ts'
import { deleteRoleRow, insertRole, lockRole, selectRoles, updatePermissions } from './sql.ts'

type ListedRole = {
  readonly role: string
  readonly isBuiltIn: boolean
  readonly permissions: string[]
  readonly users: number
  readonly version: number
}

type Named = { readonly merNo: number; readonly role: string }
type RoleDeps = Pick<PeopleDeps, 'db' | 'clock'>

export async function definedRoles(db: Queryable, merNo: number): Promise<string[]> {
  return (await selectRoles(db, merNo)).map(({ role }) => role)
}

export async function listRoles({ db }: { readonly db: Queryable }, merNo: number): Promise<ListedRole[]> {
  const users = await countByRole(db, merNo)
  const builtIn = Object.entries(merNo === PLATFORM ? operatorRoles : merchantRoles)
  const defined = await selectRoles(db, merNo)
  const usersOf = (role: string) => users.get(role) ?? 0
  return [
    ...builtIn.map(([role, permissions]) => {
      return { role, isBuiltIn: true, permissions: [...permissions], users: usersOf(role), version: 0 }
    }),
    ...defined.map(({ role, permissions, version }) => {
      return { role, isBuiltIn: false, permissions: [...permissions], users: usersOf(role), version }
    }),
  ]
}

export async function createRole(
  deps: RoleDeps,
  caller: Caller,
  { merNo, role, permissions }: Named & { permissions: readonly string[] },
): Promise<ListedRole> {
  const nameTaken = new Problem('invalid', 'There is a role of this name.', { role: 'Choose another name.' })
  if (permissionsOfRole(merNo, role) !== undefined) throw nameTaken
  const checked = checkPermissions(caller, merNo, permissions)
  await deps.db.transaction(async (tx) => {
    const now = deps.clock.now()
    if (!(await insertRole(tx, { merNo, role, permissions: checked }, now))) throw nameTaken
    const entry = { merNo, at: now, actor: actorOf(caller), subject: role, after: { permissions: checked } }
    await writeAudit(tx, { ...entry, action: 'role.create' })
  })
  return { role, isBuiltIn: false, permissions: checked, users: 0, version: 1 }
}

/** Changes the permissions of a defined role. The change applies at once, also to open sessions. */
export async function changeRolePermissions(
  deps: RoleDeps,
  caller: Caller,
  { merNo, role, permissions, version }: Named & { permissions: readonly string[]; version: number },
): Promise<ListedRole> {
  const checked = checkPermissions(caller, merNo, permissions)
  await deps.db.transaction(async (tx) => {
    const before = await lockRole(tx, merNo, role)
    if (before === undefined) throw noSuchRole()
    if (before.version !== version) throw new Problem('conflict', 'Somebody changed this role. Reload it.')
    requireHasAll(caller, before.permissions)
    await updatePermissions(tx, { merNo, role, permissions: checked })
    const entry = { merNo, at: deps.clock.now(), actor: actorOf(caller), subject: role }
    const what = { before: { permissions: before.permissions }, after: { permissions: checked } }
    await writeAudit(tx, { ...entry, action: 'role.edit', ...what })
  })
  const users = (await countByRole(deps.db, merNo)).get(role) ?? 0
  return { role, isBuiltIn: false, permissions: checked, users, version: version + 1 }
}

export function deleteRole(deps: RoleDeps, caller: Caller, { merNo, role }: Named): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const before = await lockRole(tx, merNo, role)
    if (before === undefined) throw noSuchRole()
    requireHasAll(caller, before.permissions)
    const users = (await countByRole(tx, merNo)).get(role) ?? 0
    if (users > 0)
      throw new Problem('refused', `${users} people have this role. Give them another one first.`)
    await deleteRoleRow(tx, merNo, role)
    const entry = { merNo, at: deps.clock.now(), actor: actorOf(caller), subject: role }
    await writeAudit(tx, { ...entry, action: 'role.delete', before: { permissions: before.permissions } })
  })
}

function checkPermissions(caller: Caller, merNo: number, permissions: readonly string[]): string[] {
  const allowed: readonly string[] = grantable(merNo)
  if (caller.merNo !== merNo) throw new Problem('not-allowed', 'The company defines its roles itself.')
  if (permissions.some((one) => !allowed.includes(one)))
    throw new Problem('invalid', 'There is no such permission.', { permissions: 'Choose from the list.' })
  requireHasAll(caller, permissions)
  return allowed.filter((one) => permissions.includes(one))
}

function noSuchRole(): Problem {
  return new Problem('not-found', 'There is no such role, or nobody can change it.')
}
