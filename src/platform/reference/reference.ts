// Caches the reference lists in memory, so that requests are checked without a query. Announced changes refresh the
// cache at once. A refresh every 30 s covers lost announcements.
import { assert } from '../errors/catalogue.ts'
import type { Db, Queryable } from '../postgres/db.ts'
import { openLiveCopy } from '../postgres/live-copy.ts'
import { type Item, isListName, type ListName, listNames, traitsOf } from './list.ts'
import { type ItemRow, type ListedRow, selectItem, selectLists } from './sql.ts'

const REFRESH_MS = 30_000

export type Reference = {
  /** True if new requests may name the item. */
  has(list: ListName, code: string): boolean
  /** Finds an item. Removed items are also found, because older orders and chargebacks name them. */
  find(list: ListName, code: string): Item | undefined
  items(list: ListName): readonly Item[]
  /** The version rises by one with each change of the list. */
  version(list: ListName): number
}

type ReferenceDeps = {
  readonly db: Db
  readonly log?: { error(details: object, message: string): void }
}

export async function openReference({ db, log }: ReferenceDeps): Promise<Reference & { close(): void }> {
  const lists = await openLiveCopy({
    db,
    channel: 'reference',
    everyMs: REFRESH_MS,
    read: () => readReference(db),
    failed: (err) => log?.error({ err }, 'reading the reference lists failed; the old ones stay in use'),
  })
  return {
    has: (list, code) => lists.current().has(list, code),
    find: (list, code) => lists.current().find(list, code),
    items: (list) => lists.current().items(list),
    version: (list) => lists.current().version(list),
    close: lists.close,
  }
}

/** Reads the lists once, without following later changes. */
export async function readReference(db: Queryable): Promise<Reference> {
  return createReference(await selectLists(db))
}

export function createReference(rows: readonly ListedRow[]): Reference {
  const [all, versions] = [new Map<string, Item>(), new Map<string, number>()]
  const current = new Map<ListName, Map<string, Item>>()
  for (const { list, version, code, name, bic, listed } of rows) {
    assert(isListName(list), 'every stored list is known')
    const item = { code, name, bic }
    versions.set(list, version)
    all.set(keyOf(list, code), item)
    if (listed) current.set(list, (current.get(list) ?? new Map()).set(code, item))
  }
  const sorted = new Map(listNames.map((list) => [list, sort(list, current.get(list))]))
  return {
    has: (list, code) => current.get(list)?.has(code) === true,
    find: (list, code) => all.get(keyOf(list, code)),
    items: (list) => sorted.get(list) ?? [],
    version: (list) => versions.get(list) ?? 0,
  }
}

function keyOf(list: ListName, code: string): string {
  return `${list}:${code}`
}

function sort(list: ListName, items: ReadonlyMap<string, Item> | undefined): readonly Item[] {
  const { sortedBy } = traitsOf(list)
  return [...(items ?? new Map<string, Item>()).values()].sort((one, other) =>
    one[sortedBy].localeCompare(other[sortedBy], 'en'),
  )
}

export function findItem(db: Queryable, list: ListName, code: string): Promise<ItemRow | undefined> {
  return selectItem(db, list, code)
}
