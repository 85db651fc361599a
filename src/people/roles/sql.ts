import type { Queryable, Tx } from '../../platform/postgres/db.ts'

type RoleRow = {
  readonly role: string
  readonly permissions: readonly string[]
  readonly version: number
}

export async function selectRoles(db: Queryable, merNo: number): Promise<RoleRow[]> {
  return db.query<RoleRow>({
    text: 'select role, permissions, version from roles where mer_no = $1 order by role',
    values: [merNo],
  })
}

/** Locks the role, so that nobody changes it while it is given to a person. */
export async function lockRole(tx: Tx, merNo: number, role: string): Promise<RoleRow | undefined> {
  const [row] = await tx.query<RoleRow>({
    text: 'select role, permissions, version from roles where mer_no = $1 and role = $2 for update',
    values: [merNo, role],
  })
  return row
}

type WrittenRole = { readonly merNo: number; readonly role: string; readonly permissions: readonly string[] }

/** Stores a role. Returns false if a role of this name exists. */
export async function insertRole(
  tx: Tx,
  { merNo, role, permissions }: WrittenRole,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into roles (mer_no, role, permissions, version, created_at) values ($1, $2, $3, 1, $4)
      on conflict do nothing returning role`,
    values: [merNo, role, permissions, now],
  })
  return rows.length > 0
}

export async function updatePermissions(tx: Tx, { merNo, role, permissions }: WrittenRole): Promise<void> {
  await tx.query({
    text: 'update roles set permissions = $3, version = version + 1 where mer_no = $1 and role = $2',
    values: [merNo, role, permissions],
  })
}

export async function deleteRoleRow(tx: Tx, merNo: number, role: string): Promise<void> {
  await tx.query({ text: 'delete from roles where mer_no = $1 and role = $2', values: [merNo, role] })
}
