// Merchants held in memory for the hot path. A change made anywhere is heard at once (NOTIFY) and drops the entry;
// while the listening connection is down, no entry is older than its time to live. What is held is the promise of a
// load, so that finds of one merchant at one moment share it, and a change heard during a load drops it too.
import type { Clock } from '../base/clock.ts'
import type { Vault } from '../base/secret.ts'
import type { Db } from '../postgres/db.ts'
import { loadMerchants } from './load-merchants.ts'
import type { Merchant, MerchantKey } from './merchant.ts'
import { markKeyUsed } from './sql.ts'

const TTL_MS = 5_000
const MOST_ENTRIES = 10_000

export type MerchantBook = {
  /** Undefined when there is no such merchant. Keys that have ended meanwhile are left out. */
  find(merNo: number): Promise<Merchant | undefined>
  /** The same as it is held, for whoever need not wait then; undefined: `find` knows. */
  held(merNo: number): Merchant | undefined
  /** The merchant signed with this key: remembered in the background, once. */
  keyUsed(merchant: Merchant, keyId: string): void
  /** Waits for what is still being remembered. */
  close(): Promise<void>
}

export type MerchantBookDeps = {
  readonly db: Db
  readonly vault: Vault
  readonly clock: Clock
  readonly log?: { error(details: object, message: string): void }
}

type Entry = {
  readonly loadedAtMs: number
  readonly merchant: Promise<Merchant | undefined>
  /** Once it is here. */
  loaded: Merchant | undefined
}

export async function openMerchantBook(deps: MerchantBookDeps): Promise<MerchantBook> {
  const { db, vault, clock, log } = deps
  const entries = new Map<number, Entry>()
  const marking = new Map<string, Promise<void>>()

  await db.listen('merchants', (payload) => {
    if (payload === '') entries.clear()
    else entries.delete(Number(payload))
  })

  function load(merNo: number, now: Date): Entry {
    const merchant = loadMerchants(db, vault, [merNo], now).then((found) => found.get(merNo))
    const entry: Entry = { loadedAtMs: now.getTime(), merchant, loaded: undefined }
    // A load that failed is not held: the next find tries again.
    const failed = () => {
      if (entries.get(merNo) === entry) entries.delete(merNo)
    }
    merchant.then((loaded) => {
      entry.loaded = loaded
    }, failed)
    entries.delete(merNo)
    for (const oldest of entries.keys()) {
      if (entries.size < MOST_ENTRIES) break
      entries.delete(oldest)
    }
    entries.set(merNo, entry)
    return entry
  }

  async function mark(merNo: number, keyId: string): Promise<void> {
    try {
      await markKeyUsed(db, merNo, keyId, clock.now())
      entries.delete(merNo)
    } catch (error) {
      log?.error({ err: error, merNo, keyId }, "a key's first use was not recorded; its next use tries again")
    } finally {
      marking.delete(keyId)
    }
  }

  return {
    find(merNo) {
      const now = clock.now()
      const held = entries.get(merNo)
      const entry = held !== undefined && isFresh(held, now) ? held : load(merNo, now)
      return entry.merchant.then((merchant) => merchant && withKeysThatCount(merchant, now))
    },
    held(merNo) {
      const now = clock.now()
      const held = entries.get(merNo)
      return held?.loaded !== undefined && isFresh(held, now)
        ? withKeysThatCount(held.loaded, now)
        : undefined
    },
    keyUsed(merchant, keyId) {
      const key = merchant.keys.find((candidate) => candidate.keyId === keyId)
      if (key === undefined || key.used || marking.has(keyId)) return
      marking.set(keyId, mark(merchant.merNo, keyId))
    },
    async close() {
      await Promise.all(marking.values())
    },
  }
}

function isFresh(entry: Entry, now: Date): boolean {
  const ageMs = now.getTime() - entry.loadedAtMs
  // Below zero the clock was set back, and the age tells nothing.
  return ageMs >= 0 && ageMs < TTL_MS
}

function withKeysThatCount(merchant: Merchant, now: Date): Merchant {
  if (merchant.keys.every((key) => counts(key, now))) return merchant
  return { ...merchant, keys: merchant.keys.filter((key) => counts(key, now)) }
}

function counts({ retiresAt }: MerchantKey, now: Date): boolean {
  return retiresAt === undefined || retiresAt > now
}
