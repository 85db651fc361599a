import type { Queryable, Tx } from '../../postgres/db.ts'

export type RoleRow = {
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

/** A lock, so that nobody changes the role while it is given to somebody. */
export async function lockRole(tx: Tx, merNo: number, role: string): Promise<RoleRow | undefined> {
  const [row] = await tx.query<RoleRow>({
    text: 'select role, permissions, version from roles where mer_no = $1 and role = $2 for update',
    values: [merNo, role],
  })
  return row
}

/** False if there is one of this name. */
export async function insertRole(
  tx: Tx,
  {
    merNo,
    role,
    permissions,
    now,
  }: { merNo: number; role: string; permissions: readonly string[]; now: Date },
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into roles (mer_no, role, permissions, version, created_at) values ($1, $2, $3, 1, $4)
      on conflict do nothing returning role`,
    values: [merNo, role, permissions, now],
  })
  return rows.length > 0
}

export async function updatePermissions(
  tx: Tx,
  { merNo, role, permissions }: { merNo: number; role: string; permissions: readonly string[] },
): Promise<void> {
  await tx.query({
    text: 'update roles set permissions = $3, version = version + 1 where mer_no = $1 and role = $2',
    values: [merNo, role, permissions],
  })
}

export async function deleteRoleRow(tx: Tx, merNo: number, role: string): Promise<void> {
  await tx.query({ text: 'delete from roles where mer_no = $1 and role = $2', values: [merNo, role] })
}

export type RulesRow = { readonly factor_required: boolean; readonly version: number }

export async function selectRules(db: Queryable, merNo: number): Promise<RulesRow> {
  const [row] = await db.query<RulesRow>({
    text: 'select factor_required, version from sign_in_rules where mer_no = $1',
    values: [merNo],
  })
  return row ?? { factor_required: false, version: 0 }
}

/** False if somebody else has changed them since that version. */
export async function upsertRules(
  tx: Tx,
  { merNo, factorRequired, version }: { merNo: number; factorRequired: boolean; version: number },
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into sign_in_rules (mer_no, factor_required, version)
      select $1::bigint, $2::boolean, 1 where $3::int = 0
        or exists (select 1 from sign_in_rules where mer_no = $1 and version = $3)
      on conflict (mer_no) do update set
        factor_required = excluded.factor_required, version = sign_in_rules.version + 1
      where sign_in_rules.version = $3
      returning mer_no`,
    values: [merNo, factorRequired, version],
  })
  return rows.length > 0
}
