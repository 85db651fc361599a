// Caches the reference lists in memory, so that payments and payouts are checked without a query. The cache is read
// again when a change is announced, and every 30 s in case an announcement was lost.
import { assert } from '../errors/catalogue.ts'
import type { Db, Queryable } from '../postgres/db.ts'
import { openLiveCopy } from '../postgres/live-copy.ts'
import { type Item, isListName, type ListName, listNames, traitsOf } from './list.ts'
import { type ListedRow, selectItem, selectLists } from './sql.ts'

const REFRESH_MS = 30_000

export type Reference = {
  /** True if new requests may name the item. */
  has(list: ListName, code: string): boolean
  /** Returns the item, even if it was removed, because older orders and chargebacks still name a removed item. */
  find(list: ListName, code: string): Item | undefined
  items(list: ListName): readonly Item[]
  /** The version of the list, which rises by one with each change. */
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

/** Reads the lists once. The result does not follow later changes. */
export async function readReference(db: Queryable): Promise<Reference> {
  return createReference(await selectLists(db))
}

export function createReference(rows: readonly ListedRow[]): Reference {
  const [all, versions] = [new Map<string, Item>(), new Map<string, number>()]
  const current = new Map<ListName, Map<string, Item>>()
  for (const { list, version, code, name, bic, removed } of rows) {
    assert(isListName(list), 'every stored list is known')
    const item = { code, name, bic }
    versions.set(list, version)
    all.set(keyOf(list, code), item)
    if (!removed) current.set(list, (current.get(list) ?? new Map()).set(code, item))
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

/** An item. `listed` is true if new requests may name the item, and false if the item was removed. */
type FoundItem = Item & { readonly listed: boolean }

export async function findItem(db: Queryable, list: ListName, code: string): Promise<FoundItem | undefined> {
  const row = await selectItem(db, list, code)
  return row && { code: row.code, name: row.name, bic: row.bic, listed: !row.removed }
}
