// The platform's own daily and monthly limits, by method, in US cents. Few rows, read again every few seconds.
import type { Clock } from '../base/clock.ts'
import type { Db } from '../base/db.ts'

export type PlatformLimits = { readonly daily: bigint | undefined; readonly monthly: bigint | undefined }
export type PlatformLimitsBook = { of(method: string): Promise<PlatformLimits | undefined> }

const TTL_MS = 2_000

export function openPlatformLimits(db: Db, clock: Clock): PlatformLimitsBook {
  let readAtMs = Number.NEGATIVE_INFINITY
  let table: Promise<Map<string, PlatformLimits>> = Promise.resolve(new Map())
  return {
    async of(method) {
      const nowMs = clock.now().getTime()
      if (Math.abs(nowMs - readAtMs) > TTL_MS) {
        readAtMs = nowMs
        table = read(db)
        // A read that failed is tried again by the next who asks.
        table.catch(() => {
          readAtMs = Number.NEGATIVE_INFINITY
        })
      }
      return (await table).get(method)
    },
  }
}

async function read(db: Db): Promise<Map<string, PlatformLimits>> {
  const rows = await db.query<{ method: string; daily: bigint | null; monthly: bigint | null }>({
    text: 'select method, daily, monthly from platform_limits',
  })
  return new Map(
    rows.map(({ method, daily, monthly }) => [
      method,
      { daily: daily ?? undefined, monthly: monthly ?? undefined },
    ]),
  )
}

/** An undefined limit is none. */
export async function setPlatformLimits(db: Db, method: string, limits: PlatformLimits): Promise<void> {
  await db.query({
    text: `
      insert into platform_limits (method, daily, monthly) values ($1, $2, $3)
      on conflict (method) do update set daily = excluded.daily, monthly = excluded.monthly`,
    values: [method, limits.daily ?? null, limits.monthly ?? null],
  })
}
