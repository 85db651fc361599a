import type { Clock } from '../../../platform/base/clock.ts'
import type { Claim } from '../../../platform/concurrency/claim-loop.ts'
import { assert } from '../../../platform/errors/catalogue.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { ChannelRecord, ChannelStore, Numbered, RecordChange } from '../../contract/store.ts'
import { ownNumbers } from './number-owners.ts'
import {
  addRecord,
  type ClaimedAsk,
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
  toRecord,
} from './store-sql.ts'

type StoreDeps = { readonly db: Db; readonly clock: Clock }

/**
 * Opens a channel's store. `numbered` is set if accounts are derived from the channel's numbers. The store then records
 * the owner, because another channel with the same setting would derive the same accounts.
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
    async find(key) {
      const row = await selectRecord(db, channel, key)
      return row && toRecord(row)
    },
    async listOf(kind, reference) {
      return (await selectRecordsOf(db, channel, kind, reference)).map(toRecord)
    },
    async list(kind, { after = '', limit }) {
      return (await selectRecords(db, channel, kind, { after, limit })).map(toRecord)
    },
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

/** Claims the references whose query is due, with a lease until `claim.leaseUntil`. */
export function claimAsked(db: Db, claim: Claim): Promise<ClaimedAsk[]> {
  return claimAsks(db, claim)
}

/** Removes a claimed reference. If the channel scheduled the reference again since the claim, nothing is removed. */
export function endAsk(db: Queryable, claimed: ClaimedAsk): Promise<void> {
  return deleteAsk(db, claimed)
}

/** Postpones a claimed reference. If the channel scheduled it again since the claim, the new due time stays. */
export function askLater(db: Queryable, claimed: ClaimedAsk, at: Date): Promise<void> {
  return postponeAsk(db, claimed, at)
}

const PAGE = 1_000

/** Lists all records of a kind whose keys follow `after`. */
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
