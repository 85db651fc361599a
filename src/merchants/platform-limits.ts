// The platform's daily and monthly limits by method, in US cents. The few rows are reloaded every few seconds.
import type { Clock } from '../base/clock.ts'
import type { Db } from '../postgres/db.ts'
import { readLimit, readMethod } from './options.ts'

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

/** Undefined does not change a limit, null removes it. */
export type PlatformLimitsChange = {
  readonly method: string
  readonly daily: bigint | null | undefined
  readonly monthly: bigint | null | undefined
}

export function readPlatformLimits(texts: {
  readonly method: string
  readonly daily: string | undefined
  readonly monthly: string | undefined
}): PlatformLimitsChange {
  const { method, daily, monthly } = texts
  return {
    method: method === 'payout' ? method : readMethod(method),
    daily: daily === undefined ? undefined : readLimit(daily),
    monthly: monthly === undefined ? undefined : readLimit(monthly),
  }
}

/** Deletes the row of a method without limits: while a row exists, every payment updates one hot usage row. */
export async function setPlatformLimits(db: Db, change: PlatformLimitsChange): Promise<void> {
  const { method, daily, monthly } = change
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
