// A cache of merchants. Every change of a merchant is announced by NOTIFY, except a repeated use of a key, and the
// announcement drops the merchant from the cache. While the listening connection is down, the time to live bounds the
// age of cached merchants. The cache stores the promise of a load. So concurrent calls of `find` share one load, and an
// announcement during a load drops its result too.
import type { Clock } from '../../platform/base/clock.ts'
import type { Vault } from '../../platform/base/secret.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { loadMerchants } from './load-merchants.ts'
import type { KeyUse, Merchant, MerchantKey } from './merchant.ts'
import { markKeyUsed } from './sql.ts'

const TTL_MS = 5_000
const MAX_ENTRIES = 10_000
/** The wait after a failed attempt to record the use of a key. */
const RETRY_MS = 60_000
/** The age at which the recorded use of a key is replaced by a newer one. */
const USE_MS = 3_600_000

export type MerchantCache = {
  /** Finds the merchant, with its unexpired keys only. Undefined if there is no such merchant. */
  find(merNo: number): Promise<Merchant | undefined>
  /** Finds the merchant like `find`, but returns a cached merchant directly instead of a promise. */
  findAtOnce(merNo: number): Merchant | Promise<Merchant | undefined>
  /** Records in the background that the merchant has signed with this key, at most once an hour for each key. */
  keyUsed(merNo: number, key: KeyUse): void
  /** Waits until the key uses that are being recorded are recorded or have failed. */
  close(): Promise<void>
}

export type MerchantCacheDeps = {
  readonly db: Db
  readonly vault: Vault
  readonly clock: Clock
  readonly log?: { error(details: object, message: string): void }
}

type Entry = {
  readonly loadedAtMs: number
  readonly merchant: Promise<Merchant | undefined>
  /** The merchant. Undefined until the load has finished, and if there is no such merchant. */
  loaded: Merchant | undefined
}

export async function openMerchantCache(deps: MerchantCacheDeps): Promise<MerchantCache> {
  const { db, vault, clock, log } = deps
  const entries = new Map<number, Entry>()
  const marking = new Map<string, Promise<void>>()
  const failedAt = new Map<string, number>()

  await db.listen('merchants', (payload) => {
    if (payload === '') entries.clear()
    else entries.delete(Number(payload))
  })

  function load(merNo: number, now: Date): Entry {
    const merchant = loadMerchants(db, vault, [merNo], now).then((found) => found.get(merNo))
    const entry: Entry = { loadedAtMs: now.getTime(), merchant, loaded: undefined }
    // A failed load is not cached: the next find tries again.
    const failed = () => {
      if (entries.get(merNo) === entry) entries.delete(merNo)
    }
    merchant.then((loaded) => {
      entry.loaded = loaded
    }, failed)
    entries.delete(merNo)
    for (const oldest of entries.keys()) {
      if (entries.size < MAX_ENTRIES) break
      entries.delete(oldest)
    }
    entries.set(merNo, entry)
    return entry
  }

  async function mark(merNo: number, keyId: string, now: Date): Promise<void> {
    try {
      await markKeyUsed(db, merNo, keyId, { now, unless: new Date(now.getTime() - USE_MS) })
      entries.delete(merNo)
      failedAt.delete(keyId)
    } catch (error) {
      failedAt.set(keyId, now.getTime())
      log?.error(
        { err: error, merNo, keyId },
        "a key's use was not recorded; a use after a minute tries again",
      )
    } finally {
      marking.delete(keyId)
    }
  }

  function findAtOnce(merNo: number): Merchant | Promise<Merchant | undefined> {
    const now = clock.now()
    const cached = entries.get(merNo)
    const entry = cached !== undefined && isFresh(cached, now) ? cached : load(merNo, now)
    if (entry.loaded !== undefined) return withValidKeys(entry.loaded, now)
    return entry.merchant.then((merchant) => merchant && withValidKeys(merchant, now))
  }

  return {
    find: async (merNo) => findAtOnce(merNo),
    findAtOnce,
    keyUsed(merNo, { keyId, usedAt }) {
      const now = clock.now()
      if (usedAt !== undefined && now.getTime() - usedAt.getTime() <= USE_MS) return
      if (now.getTime() - (failedAt.get(keyId) ?? 0) < RETRY_MS) return
      if (!marking.has(keyId)) marking.set(keyId, mark(merNo, keyId, now))
    },
    async close() {
      await Promise.all(marking.values())
    },
  }
}

function isFresh(entry: Entry, now: Date): boolean {
  const ageMs = now.getTime() - entry.loadedAtMs
  // A negative age means that the clock was set back.
  return ageMs >= 0 && ageMs < TTL_MS
}

function withValidKeys(merchant: Merchant, now: Date): Merchant {
  if (merchant.keys.every((key) => isValid(key, now))) return merchant
  return { ...merchant, keys: merchant.keys.filter((key) => isValid(key, now)) }
}

function isValid({ retiresAt }: MerchantKey, now: Date): boolean {
  return retiresAt === undefined || retiresAt > now
}
