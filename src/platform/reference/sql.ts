import type { Queryable, Tx } from '../postgres/db.ts'
import type { Item, ListName } from './list.ts'

/** An item. `listed` is false for a removed item, which new requests may not name. */
export type ItemRow = Item & { readonly listed: boolean }

export type ListedRow = ItemRow & { readonly list: string; readonly version: number }

const itemColumns = 'i.code, i.name, i.bic, i.removed_at is null as listed'

/** Reads items and versions by one statement, so that they match. A list without items has no row. */
export function selectLists(db: Queryable): Promise<ListedRow[]> {
  return db.query<ListedRow>({
    text: `select l.list, l.version, ${itemColumns}
      from reference_lists l join reference_items i on i.list = l.list`,
  })
}

export async function selectItem(db: Queryable, list: ListName, code: string): Promise<ItemRow | undefined> {
  const [row] = await db.query<ItemRow>({
    text: `select ${itemColumns} from reference_items i where i.list = $1 and i.code = $2`,
    values: [list, code],
  })
  return row
}

/** Locks the list, so that each change gets its own version. Returns the number of items, removed ones included. */
export async function lockList(tx: Tx, list: ListName): Promise<number> {
  const [row] = await tx.query<{ count: number }>({
    text: `with locked as (select list from reference_lists where list = $1 for update)
      select count(i.code)::int as count from locked l left join reference_items i on i.list = l.list`,
    values: [list],
  })
  return row?.count ?? 0
}

export async function saveItem(tx: Tx, list: ListName, item: Item): Promise<void> {
  await tx.query({
    text: `insert into reference_items (list, code, name, bic) values ($1, $2, $3, $4)
      on conflict (list, code) do update set name = excluded.name, bic = excluded.bic, removed_at = null`,
    values: [list, item.code, item.name, item.bic],
  })
}

export async function markRemoved(tx: Tx, list: ListName, code: string, at: Date): Promise<void> {
  await tx.query({
    text: 'update reference_items set removed_at = $3 where list = $1 and code = $2',
    values: [list, code, at],
  })
}

/** Raises the version and returns it. PostgreSQL announces the change to every node when the transaction commits. */
export async function raiseVersion(tx: Tx, list: ListName, at: Date): Promise<number> {
  const [row] = await tx.query<{ version: number }>({
    text: `update reference_lists set version = version + 1, changed_at = $2 where list = $1
      returning version, pg_notify('reference', list)`,
    values: [list, at],
  })
  return row?.version ?? 0
}
