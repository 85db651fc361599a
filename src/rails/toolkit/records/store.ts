import type { Clock } from '../base/clock.ts'
import { assert } from '../errors/catalogue.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { ownNumbers } from './number-owners.ts'
import type { ChannelStore, Numbered, RecordChange } from './store.ts'
import {
  addRecord,
  insertAsks,
  insertNumber,
  putRecord,
  removeRecord,
  selectNumber,
  selectRecord,
  selectRecords,
  selectRecordsOf,
  selectReference,
  toRecord,
} from './store-sql.ts'

export type StoreDeps = { readonly db: Db; readonly clock: Clock }

/** `numbered`: what its numbers are of; unset: of nothing that other channels could share. */
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
