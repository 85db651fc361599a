// Adds entries to the block and allow lists, and removes entries. Every node is notified when a change commits.
import { hasValidCheckDigit, maskCard } from '../../platform/base/card-number.ts'
import { makeId, merNoOf } from '../../platform/base/id.ts'
import type { Vault } from '../../platform/base/secret.ts'
import { OperatorRefusal } from '../../platform/errors/catalogue.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { type Entry, type EntryKind, readValue } from './entry.ts'
import {
  announceRisk,
  countEntries,
  deleteEntry,
  deleteExpired,
  type EntryFilter,
  insertEntry,
  selectCurrentEntries,
  selectEntries,
  selectEntry,
} from './sql.ts'

/** The maximum number of entries, because every node has all entries in memory. */
const MOST_ENTRIES = 100_000

/** The subject of an entry. `shown` is the form that people see. */
export type Named = { readonly kind: EntryKind; readonly value: string; readonly shown: string }

/** Reads the subject of an entry. For a card, the fingerprint of its number is stored, not the number. */
export function nameByText(vault: Vault, kind: EntryKind, text: string): Named {
  if (kind !== 'card') {
    const value = readValue(kind, text)
    return { kind, value, shown: value }
  }
  const number = text.replace(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(number) || !hasValidCheckDigit(number))
    throw new OperatorRefusal('this is not a card number: check its digits, or name an order instead')
  return nameCard(maskCard(vault, number))
}

export function nameCard(card: { first6: string; last4: string; fingerprint: string }): Named {
  return { kind: 'card', value: card.fingerprint, shown: `${card.first6}…${card.last4}` }
}

export type NewEntry = Pick<Entry, 'merNo' | 'list' | 'reason' | 'expiresAt'> & {
  readonly named: Named
  readonly by: string
  readonly at: Date
}

export async function addEntry(db: Db, wanted: NewEntry): Promise<Entry> {
  const { merNo, list, reason, expiresAt, named, by, at } = wanted
  if (expiresAt !== undefined && expiresAt <= at)
    throw new OperatorRefusal('the entry would have expired already: give a later time', 'expiresAt')
  const entryId = makeId('Z', merNo, at)
  const entry: Entry = { merNo, entryId, list, ...named, reason, createdAt: at, createdBy: by, expiresAt }
  return db.transaction(async (tx) => {
    if ((await countEntries(tx, at)) >= MOST_ENTRIES)
      throw new OperatorRefusal(`the lists have ${MOST_ENTRIES} entries: remove some first`)
    await deleteExpired(tx, entry)
    if (!(await insertEntry(tx, entry)))
      throw new OperatorRefusal(`${named.shown} is on the ${list} list already`, 'value')
    await announceRisk(tx)
    return entry
  })
}

/** Removes an entry. The merchant number is part of the entry's id. */
export function removeEntry(db: Db, entryId: string): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await deleteEntry(tx, merNoOf(entryId) ?? 0, entryId)))
      throw new OperatorRefusal('there is no such entry')
    await announceRisk(tx)
  })
}

export function findEntry(db: Db, entryId: string): Promise<Entry | undefined> {
  return selectEntry(db, merNoOf(entryId) ?? 0, entryId)
}

/** Returns the entries of both lists that have not expired. Payments are checked against these entries. */
export function currentEntries(db: Db, now: Date): Promise<Entry[]> {
  return selectCurrentEntries(db, now)
}

export function listEntries(db: Db, filter: EntryFilter, limit: number): Promise<Entry[]> {
  return selectEntries(db, filter, limit)
}
