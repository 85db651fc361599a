import type { Clock } from '../../../platform/base/clock.ts'
import { assert } from '../../../platform/errors/catalogue.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { ChannelRecord, ChannelStore, Numbered, RecordChange } from '../../contract/store.ts'
import { ownNumbers } from './number-owners.ts'
import {
  addRecord,
  claimAsks,
  deleteAsk,
  insertAsks,
  insertNumber,
  postponeAsk,
  putRecord,
  removeRecord,
  selectNumber,
  selectRecord,
  selectRecords,
  selectRecordsOf,
  selectReference,
} from './store-sql.ts'

type StoreDeps = { readonly db: Db; readonly clock: Clock }

/**
 * Opens a channel's store. `numbered` is set if accounts are derived from the channel's numbers. Then the store records
 * the channel as the owner of these accounts, because another channel with the same setting would derive the same
 * accounts.
 */
export function openStore({ db, clock }: StoreDeps, channel: string, numbered?: Numbered): ChannelStore {
  let isOwner = numbered === undefined

  async function give(reference: string): Promise<bigint> {
    const given = await db.transaction(async (tx) => {
      if (numbered !== undefined && !isOwner) await ownNumbers(tx, channel, numbered, clock.now())
      return insertNumber(tx, channel, reference)
    })
    isOwner = true
    const number = given ?? (await selectNumber(db, channel, reference))
    assert(number !== undefined, 'a reference has a number')
    return number
  }

  function apply(tx: Tx, change: RecordChange, at: Date): Promise<boolean> {
    if ('add' in change) return addRecord(tx, channel, change.add, at)
    if ('put' in change) return putRecord(tx, channel, change.put, at)
    return removeRecord(tx, channel, change.remove)
  }

  return {
    async numberOf(reference) {
      return Number((await selectNumber(db, channel, reference)) ?? (await give(reference)))
    },
    referenceOf: (number) => selectReference(db, channel, number),
    find: (key) => selectRecord(db, channel, key),
    listOf: (kind, reference) => selectRecordsOf(db, channel, kind, reference),
    list: (kind, page) => selectRecords(db, channel, kind, page),
    write(changes, ask = []) {
      return db.transaction(async (tx) => {
        const at = clock.now()
        const changed: boolean[] = []
        for (const change of changes) changed.push(await apply(tx, change, at))
        if (ask.length > 0) await insertAsks(tx, channel, ask, at)
        return changed
      })
    },
  }
}

export type { ClaimedAsk } from './store-sql.ts'

/** Schedules a query of the channel about a reference. The query is made after the commit, even after a crash. */
export function askAbout(tx: Tx, channel: string, reference: string, at: Date): Promise<void> {
  return insertAsks(tx, channel, [reference], at)
}

export const claimAsked = claimAsks

/** Removes a claimed reference. If the channel scheduled the reference again since the claim, nothing is removed. */
export const endAsk = deleteAsk

/** Postpones a claimed reference. If the channel scheduled it again since the claim, the new due time stays. */
export const askLater = postponeAsk

const PAGE = 1_000

export async function listAll(store: ChannelStore, kind: string, after = ''): Promise<ChannelRecord[]> {
  const all: ChannelRecord[] = []
  for (let last = after; ; ) {
    const page = await store.list(kind, { after: last, limit: PAGE })
    all.push(...page)
    const end = page.at(-1)
    if (end === undefined || page.length < PAGE) return all
    last = end.key
  }
}
