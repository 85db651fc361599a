// Owns platform_limits: the platform's daily and monthly limits by method, in US cents. The limits are cached for two
// seconds.
import type { Clock } from '../../platform/base/clock.ts'
import { aboutField } from '../../platform/errors/catalogue.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import { readLimit, readMethod } from '../merchants/options.ts'

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

export async function listPlatformLimits(db: Queryable): Promise<Map<string, PlatformLimits>> {
  const rows = await db.query<{ method: string; daily: bigint | null; monthly: bigint | null }>({
    text: 'select method, daily, monthly from platform_limits order by method',
  })
  return new Map(
    rows.map(({ method, daily, monthly }) => [
      method,
      { daily: daily ?? undefined, monthly: monthly ?? undefined },
    ]),
  )
}

/** Locks the limits against changes until the transaction ends, and returns them. Payments can still read them. */
export async function lockPlatformLimits(tx: Tx): Promise<Map<string, PlatformLimits>> {
  await tx.query({ text: 'lock table platform_limits in share row exclusive mode' })
  return listPlatformLimits(tx)
}

export function readPlatformLimits(texts: {
  readonly method: string
  readonly daily: string | undefined
  readonly monthly: string | undefined
}): LimitsChange {
  const { method, daily, monthly } = texts
  return {
    method: method === 'payout' ? method : readMethod(method),
    daily: daily === undefined ? undefined : aboutField('daily', () => readLimit(daily)),
    monthly: monthly === undefined ? undefined : aboutField('monthly', () => readLimit(monthly)),
  }
}

/** A change of a method's limits. A limit with the value undefined stays unchanged. Null removes the limit. */
export type LimitsChange = {
  readonly method: string
  readonly daily: bigint | null | undefined
  readonly monthly: bigint | null | undefined
}

/**
 * Sets a method's limits. If the method has no limits left, its row is deleted, because the row makes all orders of the
 * method update the same usage rows.
 */
export async function setPlatformLimits(db: Db, { method, daily, monthly }: LimitsChange): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query({
      text: `
        insert into platform_limits as p (method, daily, monthly) values ($1, $2, $3)
        on conflict (method) do update set
          daily = case when $4 then excluded.daily else p.daily end,
          monthly = case when $5 then excluded.monthly else p.monthly end`,
      values: [method, daily ?? null, monthly ?? null, daily !== undefined, monthly !== undefined],
    })
    await tx.query({
      text: 'delete from platform_limits where method = $1 and daily is null and monthly is null',
      values: [method],
    })
  })
}
