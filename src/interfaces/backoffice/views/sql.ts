import type { Queryable, Tx } from '../../../platform/postgres/db.ts'

export type ViewContent = {
  readonly name: string
  readonly query: string
  readonly columns: string
  readonly shared: boolean
}

export type ViewRow = ViewContent & {
  readonly viewId: string
  readonly userId: string
  readonly version: number
  readonly createdAt: Date
}

const columns = `
  view_id as "viewId", user_id as "userId", name, query, columns, shared, version, created_at as "createdAt"`

export function selectViews(db: Queryable, merNo: number, userId: string): Promise<ViewRow[]> {
  return db.query<ViewRow>({
    text: `select ${columns} from saved_views where mer_no = $1 and (user_id = $2 or shared)
      order by lower(name), view_id limit 200`,
    values: [merNo, userId],
  })
}

export async function insertView(tx: Tx, merNo: number, row: ViewRow): Promise<void> {
  const { viewId, userId, name, query, columns, shared, version, createdAt } = row
  await tx.query({
    text: `insert into saved_views (
        mer_no, view_id, user_id, list, name, query, columns, shared, version, created_at)
      values ($1, $2, $3, 'orders', $4, $5, $6, $7, $8, $9)`,
    values: [merNo, viewId, userId, name, query, columns, shared, version, createdAt],
  })
}

export async function lockView(tx: Tx, merNo: number, viewId: string): Promise<ViewRow | undefined> {
  const [row] = await tx.query<ViewRow>({
    text: `select ${columns} from saved_views where mer_no = $1 and view_id = $2 for update`,
    values: [merNo, viewId],
  })
  return row
}

export async function updateView(tx: Tx, merNo: number, viewId: string, content: ViewContent): Promise<void> {
  const { name, query, columns, shared } = content
  await tx.query({
    text: `update saved_views set name = $3, query = $4, columns = $5, shared = $6, version = version + 1
      where mer_no = $1 and view_id = $2`,
    values: [merNo, viewId, name, query, columns, shared],
  })
}

export async function deleteView(tx: Tx, merNo: number, viewId: string): Promise<void> {
  await tx.query({
    text: 'delete from saved_views where mer_no = $1 and view_id = $2',
    values: [merNo, viewId],
  })
}
