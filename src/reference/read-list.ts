import type { Queryable } from '../postgres/db.ts'
import type { Item, ListName } from './list.ts'
import { selectItem } from './sql.ts'

/** `listed`: new requests may name it; false after it was removed. */
export type FoundItem = Item & { readonly listed: boolean }

export async function findItem(db: Queryable, list: ListName, code: string): Promise<FoundItem | undefined> {
  const row = await selectItem(db, list, code)
  return row && { code: row.code, name: row.name, bic: row.bic, listed: !row.removed }
}
