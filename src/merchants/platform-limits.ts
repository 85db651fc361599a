// The platform's daily and monthly limits by method, in US cents. The few rows are reloaded every few seconds.
import type { Clock } from '../base/clock.ts'
import type { Db } from '../postgres/db.ts'
import { readLimit, readMethod } from './options.ts'
import { deleteEmptyLimits, type LimitsChange, selectLimits, upsertLimits } from './platform-sql.ts'

export type PlatformLimits = { readonly daily: bigint | undefined; readonly monthly: bigint | undefined }
export type PlatformLimitsCache = { of(method: string): Promise<PlatformLimits | undefined> }

const TTL_MS = 2_000

export function openPlatformLimits(db: Db, clock: Clock): PlatformLimitsCache {
  let readAtMs = Number.NEGATIVE_INFINITY
  let table: Promise<Map<string, PlatformLimits>> = Promise.resolve(new Map())
  return {
    async of(method) {
      const nowMs = clock.now().getTime()
      if (Math.abs(nowMs - readAtMs) > TTL_MS) {
        readAtMs = nowMs
        table = listPlatformLimits(db)
        // After a failed read, the next call tries again.
        table.catch(() => {
          readAtMs = Number.NEGATIVE_INFINITY
        })
      }
      return (await table).get(method)
    },
  }
}

export async function listPlatformLimits(db: Db): Promise<Map<string, PlatformLimits>> {
  const rows = await selectLimits(db)
  return new Map(
    rows.map(({ method, daily, monthly }) => [
      method,
      { daily: daily ?? undefined, monthly: monthly ?? undefined },
    ]),
  )
}

export function readPlatformLimits(texts: {
  readonly method: string
  readonly daily: string | undefined
  readonly monthly: string | undefined
}): LimitsChange {
  const { method, daily, monthly } = texts
  return {
    method: method === 'payout' ? method : readMethod(method),
    daily: daily === undefined ? undefined : readLimit(daily),
    monthly: monthly === undefined ? undefined : readLimit(monthly),
  }
}

/** A method with neither limit has no row: a row would make all payments of the method count on one hot row. */
export async function setPlatformLimits(db: Db, change: LimitsChange): Promise<void> {
  await db.transaction(async (tx) => {
    await upsertLimits(tx, change)
    await deleteEmptyLimits(tx, change.method)
  })
}
